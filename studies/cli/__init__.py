"""The command line: `command` makes commands of operations, `commands` prints their results."""
