"""What writes pages of the documentation: figures into pages, and the reference from the code."""
