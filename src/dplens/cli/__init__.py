"""The command line: parses arguments, calls the library and prints sentences, tables or JSON. Computes nothing.

May import every other package; imports of heavy ones wait until a command needs them. Start with ``app``, which lists
the commands.
"""
