"""The command line. Nothing is computed here: arguments in, library calls, sentences out."""
