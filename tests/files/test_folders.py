"""The files below a folder: in order, with links that go in circles, and with what is no file."""

import inspect
import os
import sys
from pathlib import Path

import pytest

from phrasemill.errors import InputError
from phrasemill.files.folders import files_below

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are those of POSIX")


def made(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())


def below(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The files, and the problems, by their names in the folder."""
    found = [*files_below(str(folder), wanted=lambda name: name.endswith(".txt"))]
    names = {one.path: Path(one.path).relative_to(folder).as_posix() for one in found}
    return [names[one.path] for one in found if not one.problem], {
        names[one.path]: one.problem for one in found if one.problem
    }


def test_files_in_order_with_their_sizes(tmp_path: Path) -> None:
    made(tmp_path, "b/2.txt", "b/1.txt", "a.txt", "c.pdf", ".hidden/d.txt", ".e.txt", "b/c/3.txt", "b-1.txt")
    assert below(tmp_path) == (["a.txt", "b/1.txt", "b/2.txt", "b/c/3.txt", "b-1.txt"], {})
    sizes = [one.size for one in files_below(str(tmp_path / "b"))]
    assert sizes == [7, 7, 9]


def test_links_in_a_circle_are_problems_and_the_rest_goes_on(tmp_path: Path) -> None:
    made(tmp_path, "a.txt", "b/c/d.txt", "e.txt")
    (tmp_path / "b" / "c" / "up").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "here").symlink_to(".")
    (tmp_path / "b" / "self").symlink_to("self")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    around = "is a symbolic link to a folder that it lies in, and was not followed"
    itself = "is a symbolic link that leads back to itself"
    assert below(tmp_path) == (
        ["a.txt", "b/c/d.txt", "e.txt"],
        {"b/c/up": around, "b/here": around, "b/self": itself, "one": itself, "two": itself},
    )


def test_a_link_out_of_the_folder_is_followed_once(tmp_path: Path) -> None:
    made(tmp_path, "in/a.txt", "out/b.txt", "out/deep/c.txt")
    for name in ("1", "2"):
        (tmp_path / "in" / name).symlink_to(tmp_path / "out")
    (tmp_path / "in" / "3").symlink_to(tmp_path / "out" / "deep")
    assert below(tmp_path / "in") == (["1/b.txt", "1/deep/c.txt", "a.txt"], {})


def test_a_link_within_the_folder_is_read_by_its_own_name(tmp_path: Path) -> None:
    made(tmp_path, "m/a.txt", ".store/b.txt")
    (tmp_path / "before").symlink_to("m")
    (tmp_path / "then").symlink_to("m")
    (tmp_path / "kept").symlink_to(".store")
    assert below(tmp_path) == (["kept/b.txt", "m/a.txt"], {})


def test_folders_that_link_to_each_other_end(tmp_path: Path) -> None:
    made(tmp_path, "x/a.txt", "y/b.txt")
    (tmp_path / "x" / "y").symlink_to(tmp_path / "y")
    (tmp_path / "y" / "x").symlink_to(tmp_path / "x")
    files, problems = below(tmp_path / "x")
    assert files == ["a.txt", "y/b.txt"]
    assert list(problems) == ["y/x"] or problems == {}


def test_many_links_do_not_multiply(tmp_path: Path) -> None:
    """Two links to the next folder in each of twenty: a million ways to the last."""
    for i in range(20):
        made(tmp_path, f"store/{i}/a.txt")
        for name in ("l", "r"):
            (tmp_path / "store" / str(i) / name).symlink_to(tmp_path / "store" / str(i + 1))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "first").symlink_to(tmp_path / "store" / "0")
    assert len(below(tmp_path / "in")[0]) == 20


def test_what_is_no_file_is_a_problem_if_it_looks_like_one(tmp_path: Path) -> None:
    made(tmp_path, "a.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "gone.txt").symlink_to("nowhere")
    (tmp_path / "gone").symlink_to("nowhere")
    assert below(tmp_path) == (
        ["a.txt"],
        {"gone.txt": "is a symbolic link to a file that is not there", "pipe.txt": "is a named pipe, not a file"},
    )


def test_deep_folders_need_no_deep_stack(tmp_path: Path) -> None:
    made(tmp_path, "/".join("d" * 200) + "/a.txt")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        found = [*files_below(str(tmp_path))]
    finally:
        sys.setrecursionlimit(limit)
    assert len(found) == 1


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, "a/a.txt", "b/b.txt")
    listed = os.listdir

    def refuse(path: str) -> list[str]:
        if path.endswith("a"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "listdir", refuse)
    files, problems = below(tmp_path)
    assert files == ["b/b.txt"]
    assert problems == {"a": "permission denied; you may not read this file"}
    with pytest.raises(InputError, match="permission denied"):
        below(tmp_path / "a")
