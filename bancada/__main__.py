"""`python -m bancada`: the command line."""

from bancada.commands.cli import main

main()
