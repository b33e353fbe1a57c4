"""Datasets made from other files: one module a builder."""
