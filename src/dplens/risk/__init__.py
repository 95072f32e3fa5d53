"""Questions asked of a curve: each a small class, each answered on both sides of the curve's bracket."""
