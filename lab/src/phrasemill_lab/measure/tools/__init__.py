"""Other people's extractors beside ours. A tool is a function in `adapters.py` and a row of `tools.toml`."""
