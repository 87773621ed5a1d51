"""Jacobians written out as one matrix: maps whose blocks have no common form, such as rotary and cross-attention."""
