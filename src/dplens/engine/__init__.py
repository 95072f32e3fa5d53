"""The certified composition engine: from the losses of single steps to the curve of the whole."""
