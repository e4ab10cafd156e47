"""Runs the programs of the room `channel/`: a client and a server that exchange a message over a link."""
