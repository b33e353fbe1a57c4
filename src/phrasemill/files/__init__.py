"""Files as streams of bytes: opened without surprises, decompressed, and found in folders."""
