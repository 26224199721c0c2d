"""The command line, one file per command; `app` puts them together."""
