"""Phrasemill in other pipelines: scikit-learn, spaCy."""
