"""The weights of Phrasemill's `encoder(size='large')`, which would make its wheel too large; there is no code here."""
