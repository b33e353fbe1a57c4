"""The weights of Phrasemill's method `bertkpe`, which would make its wheel too large; there is no code here."""
