"""Certified Lipschitz bounds of attention layers."""
