"""`python -m cardlab`: the command line."""

from studies.cli.start import main

if __name__ == "__main__":
    main()
