"""The assessment: one immutable result that every presenter reads."""
