"""Pictures of frames, drawn with Altair: no mathematics, no network."""
