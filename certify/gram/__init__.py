"""Bounds of the whole Jacobian from its Gram blocks J_i J_i'^T, pair by pair of tokens, without ever forming J."""
