"""Other libraries' objects, as mechanisms and curves; and back where nothing is lost."""
