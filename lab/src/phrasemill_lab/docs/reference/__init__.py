"""The pages of docs/reference that are written from the code; `python -m phrasemill_lab.docs.reference` writes them.

`pages.py` lists them. Each other module here writes one kind: `python_names.py` the public names, `commands.py` the
command line, `http.py` the service, `specs.py` the grammar and the methods, `scores.py` metrics, policies and presets,
`formats.py` file formats, `errors.py` errors and exit codes. `markdown.py` is what they share.
"""
