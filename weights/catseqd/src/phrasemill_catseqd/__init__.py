"""The weights of Phrasemill's method `catseqd`, which would make its wheel too large; there is no code here."""
