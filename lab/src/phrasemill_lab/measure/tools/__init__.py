"""Other people's extractors beside ours: adapters, environments of their own, and processes that take turns.

To add a tool, add a function and a row to `adapters.py`.
"""
