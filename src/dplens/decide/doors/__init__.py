"""Privacy first or utility first: from a limit to a decision. Start with ``privacy_first.py``."""
