"""Commands of `bancada` that have a module of their own. Each parses, calls, prints; bancada.commands.command_line
gathers them."""
