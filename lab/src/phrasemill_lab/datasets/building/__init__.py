"""Datasets made from other files: one module per builder."""
