"""German: its texts in Fluent files, and the grammar that they need."""
