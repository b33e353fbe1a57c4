"""Wrong command lines: one line that says what to do, exit code 2, nothing printed, no traceback."""

import pytest

from cli_process import Command

WRONG = (
    # What is not there, or is no command or option
    ("extract missing.txt", "missing.txt: no such file"),
    ("distil", "unknown command 'distil'; choose from"),
    ("extrct", "unknown command 'extrct' (did you mean 'extract'?)"),
    ("extract article.txt --tpo 3", "No such option: --tpo"),
    ("extract article.txt --fromat csv", "No such option: --fromat"),
    ("extract article.txt --top", "Option '--top' requires an argument"),
    ("vocabulary", "Missing argument 'FILE'"),
    ("vocabulary none.ttl", "none.ttl: no such file"),
    ("tags lern notes", "No such command 'lern'"),
    # Values that cannot be
    ("extract article.txt -n ten", "--top must be a count, a fraction such as 0.2, auto or all; got 'ten'"),
    ("extract article.txt -n 0", "top must be at least 1, got 0"),
    ("extract article.txt -n 1.5", "top as a fraction must be above 0"),
    ("extract article.txt --threshold x", "--threshold must be a number; got 'x'"),
    ("extract article.txt --threshold nan", "--threshold must be a number; got 'nan'"),
    ("extract article.txt --longest 0", "--longest must be a whole number, 1 or more; got '0'"),
    ("extract article.txt --diversity 3", "diversity must be from 0 to 1, got 3"),
    ("extract article.txt --largest big", "--largest must be a size such as 64M or 1G; got 'big'"),
    ("extract article.txt -l englisch", "unknown language 'englisch'; closest are English (en)"),
    ("extract article.txt -f xml", "--format must be one of table, text, json, jsonl, csv"),
    ("extract article.txt --input-format nope", "unknown format 'nope'"),
    ("extract articles.csv --columns body", "columns are written text=NAME,title=NAME,id=NAME; got 'body'"),
    ("extract articles.csv --columns text=nope", "articles.csv: no column 'nope' for --columns text=nope"),
    ("methods -f csv", "--format must be one of table, json; got 'csv'"),
    ("vocabulary thesaurus.ttl --show some", "--show must be a whole number, 0 or more, or all; got 'some'"),
    # Methods, styles and rules
    ("extract article.txt -m textrnk", "unknown method 'textrnk' (did you mean 'textrank'?); choose from"),
    ("extract article.txt -m consensus", "unknown method 'consensus'; it finds the keyphrases of a set"),
    ("extract article.txt -m textrank(window=0)", "window must be at least 2, got 0"),
    ("extract article.txt -m textrank(windw=3)", "method textrank has no parameter 'windw'"),
    ("extract article.txt -m textrank(", "cannot read 'textrank('"),
    ("extract article.txt --style tweets", "unknown style 'tweets'"),
    ("extract article.txt -m yake --style news", "yake has no style; styles are for"),
    ("extract article.txt --redundancy all", "unknown redundancy rule 'all'"),
    ("extract article.txt --redundancy none(3)", "redundancy none takes no parameters; got none(3)"),
    ("extract article.txt --redundancy similarity(x=1)", "redundancy similarity takes one number"),
    # Phrases and words
    ("extract article.txt --exclude-file no.txt", "no.txt: no such file"),
    (["extract", "article.txt", "--exclude", ""], "exclude takes phrases, got ''"),
    ("extract article.txt --boost =3", "boost takes phrases, got ''"),
    ("extract article.txt --boost salt=much", "the boost in 'salt=much' must be a number; got 'much'"),
    ("extract article.txt --stopwords ,", "--stopwords takes words, separated by commas; got ','"),
    # Options without effect, or against each other
    ("extract article.txt --example", "--example replaces FILE"),
    ("extract article.txt --highlight -f csv", "--highlight prints the text itself"),
    ("extract article.txt --new-terms", "`new_terms` requires a `vocabulary`"),
    ("extract article.txt --diversity 0.5 -n all", "diversity chooses among phrases, and top='all' returns every one"),
    ("extract --set new --explain --boost x", "--boost, --explain are for single documents; leave out --set"),
    ("extract --by folder new --against old", "--by makes several sets"),
    ("extract articles.csv -o articles.csv", "--output articles.csv is a FILE to read"),
    ("extract articles.csv -o no/such/folder.csv", "no/such/folder.csv: "),
    # In place
    ("extract notes.md --write -f json", "--write does not go with --format; leave out one of them"),
    ("extract notes.md --write --add k", "--write does not go with --add; leave out one of them"),
    ("extract papers.jsonl --add k --set", "--add does not go with --set; leave out one of them"),
    ("extract papers.jsonl articles.csv --add k", "--add NAME takes one FILE, a table"),
    ("extract papers.jsonl --add year", "papers.jsonl, line 1: there is 'year' already; give --add another name"),
    ("extract articles.csv --add key", "articles.csv: there is 'key' already; give --add another name"),
    ("extract article.txt --add k", "article.txt: --add needs a table: CSV, JSON lines or Parquet"),
    # Other commands
    ("train nix -d papers.jsonl -o m", "unknown trainer 'nix'"),
    ("run papers.jsonl", "run needs --output FOLDER"),
    ("verify", "verify needs a FOLDER"),
    ("statistics fit papers.jsonl", "statistics needs --output TABLE"),
    ("evaluate papers.jsonl", "evaluate needs files of predictions, and the gold with --gold"),
)


@pytest.mark.parametrize(
    ("line", "complaint"), WRONG, ids=[one if isinstance(one, str) else " ".join(one) for one, _ in WRONG]
)
def test_a_wrong_command_line_gets_one_line(at: Command, line: str | list[str], complaint: str) -> None:
    code, out, err = at(*(line.split() if isinstance(line, str) else line))
    assert (code, out) == (2, "")
    assert err.startswith(f"phrasemill: {complaint}")
    assert err.count("\n") == 1
