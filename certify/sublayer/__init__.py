"""Attention as it stands in a transformer: with its residual connection, and a normalisation before or after it."""
