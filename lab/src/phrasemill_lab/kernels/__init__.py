"""Loops of training, in Cython."""
