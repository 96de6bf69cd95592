"""Paths lead to regular files below the roots, and nowhere else, whatever they look like."""

import contextlib
import os
import socket
import stat
from pathlib import Path

import pytest

from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.mcp.confinement import Roots
from pcsf_lark.faces.mcp.refusal import Refusal

MOST = 100


@pytest.fixture
def place(tmp_path):
    """A root with files and traps in it, and secrets beside it."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "below").mkdir(parents=True)
    outside.mkdir()
    (root / "a.pcsf").write_bytes(b"inside")
    (root / "below" / "b.pcsf").write_bytes(b"deeper")
    (root / "large").write_bytes(b"x" * (MOST + 1))
    (root / "..dots").write_bytes(b"a name")
    (outside / "secret").write_bytes(b"secret")
    (tmp_path / "root-twin").mkdir()
    (tmp_path / "root-twin" / "secret").write_bytes(b"secret")
    links = {
        "inner": "a.pcsf",
        "folder": "below",
        "escape": outside / "secret",
        "out": outside,
        "relative": "../outside/secret",
        "twin": "../root-twin/secret",
        "chain": "escape",
        "loop": "loop",
        "dangling": outside / "nothing",
        "null": "/dev/null",
        "zero": "/dev/zero",
        "environ": "/proc/self/environ",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as listener:
        here = Path.cwd()
        os.chdir(root)  # a socket's address is short
        listener.bind("socket")
        os.chdir(here)
        yield root


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.pcsf", b"inside"),
        ("./a.pcsf", b"inside"),
        ("below/b.pcsf", b"deeper"),
        ("below//b.pcsf", b"deeper"),
        ("..dots", b"a name"),
        ("inner", b"inside"),
        ("folder/b.pcsf", b"deeper"),
    ],
)
def test_what_lies_below_a_root_is_read(place, path, text):
    assert Roots([str(place)]).read(path, MOST) == text


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../outside/secret", "`..`"),
        ("below/../a.pcsf", "`..`"),
        ("below/../../outside/secret", "`..`"),
        ("..", "`..`"),
        ("..\\outside\\secret", "`..`"),
        ("/etc/passwd", "absolute"),
        ("//etc/passwd", "absolute"),
        ("C:\\secret", "absolute"),
        ("\\\\host\\share", "absolute"),
        ("file:///etc/passwd", "an address"),
        ("https://example.org/a", "an address"),
        ("", "empty"),
        ("  ", "empty"),
        ("a.pcsf\0", "NUL"),
        ("escape", "out of its root"),
        ("out/secret", "out of its root"),
        ("relative", "out of its root"),
        ("twin", "out of its root"),
        ("chain", "out of its root"),
        ("null", "out of its root"),
        ("zero", "out of its root"),
        ("environ", "out of its root"),
        ("loop", "cannot be read"),
        ("dangling", "there is no"),
        ("nothing", "there is no"),
        ("a.pcsf/x", "cannot be read"),
        ("x" * 5000, "cannot be read"),
        ("~/a.pcsf", "there is no"),
        ("$HOME/a.pcsf", "there is no"),
        ("*.pcsf", "there is no"),
        ("-", "there is no"),
        ("pipe", "no regular file"),
        ("socket", "no regular file"),
        ("below", "a folder"),
        (".", "a folder"),
        ("large", "101 bytes"),
    ],
)
def test_what_leads_elsewhere_is_refused(place, path, reason):
    with pytest.raises(Refusal) as caught:
        Roots([str(place)]).read(path, MOST)
    assert reason in caught.value.message
    assert caught.value.at == "path"
    assert caught.value.mend
    assert "secret" not in str(caught.value).replace(path, "").replace(repr(path), "")


@pytest.mark.parametrize("path", [".pcsf/key", "below/.pcsf/state.db", ".PCSF/key", "alias"])
def test_what_is_a_relays_is_not_read_as_text(place, path):
    """A key must not stand in an answer, and a database loses its locks with what is closed."""
    for folder in (place / ".pcsf", place / "below" / ".pcsf", place / ".PCSF"):
        folder.mkdir(exist_ok=True)
        (folder / "key").write_text("secret")
        (folder / "state.db").write_text("secret")
    (place / "alias").symlink_to(".pcsf/key")
    roots = Roots([str(place)])
    with pytest.raises(Refusal, match="belongs to a relay"):
        roots.read(path, MOST)
    # To verify with it, it may be named as a key.
    assert roots.file(path).read_text() == "secret"


def test_a_path_that_is_absolute_is_told_what_to_send(place):
    with pytest.raises(Refusal) as caught:
        Roots([str(place)]).read(f"{place}/below/b.pcsf", MOST)
    assert caught.value.mend == "send 'below/b.pcsf', which is relative to the root"
    for path in (str(place), f"{place}-twin/secret", f"{place}/below/../../outside/secret"):
        with pytest.raises(Refusal) as caught:
            Roots([str(place)]).read(path, MOST)
        assert "notes/a.pcsf" in caught.value.mend


def test_the_first_root_that_has_a_file_is_read(place, tmp_path):
    roots = Roots([str(place), str(tmp_path / "outside")])
    assert roots.read("a.pcsf", MOST) == b"inside"
    assert roots.read("secret", MOST) == b"secret"
    with pytest.raises(Refusal, match="out of its root"):
        roots.read("escape", MOST)


def test_without_a_root_nothing_is_read():
    with pytest.raises(Refusal, match="without a folder"):
        Roots().read("pyproject.toml", MOST)


@pytest.mark.parametrize("name", ["nothing", "a.pcsf"])
def test_a_root_is_a_folder(place, name):
    with pytest.raises(Trouble):
        Roots([str(place / name)])


def test_a_root_may_be_named_by_a_link(place, tmp_path):
    (tmp_path / "link").symlink_to(place)
    assert Roots([str(tmp_path / "link")]).read("a.pcsf", MOST) == b"inside"


@pytest.mark.parametrize("swapped", ["below", "below/b.pcsf"])
def test_a_link_put_in_the_way_meanwhile_is_not_followed(place, tmp_path, monkeypatch, swapped):
    """The path was judged; before it is opened a part of it becomes a link out."""
    outside = tmp_path / "outside"
    (outside / "b.pcsf").write_bytes(b"secret")
    target = outside if swapped == "below" else outside / "b.pcsf"
    resolve = Path.resolve

    def swap(self, **options):
        found = resolve(self, **options)
        if self.name == "b.pcsf":
            (place / swapped).rename(tmp_path / "moved")
            (place / swapped).symlink_to(target)
        return found

    roots = Roots([str(place)])
    monkeypatch.setattr(Path, "resolve", swap)
    with pytest.raises(Refusal) as caught:
        roots.read("below/b.pcsf", MOST)
    assert "secret" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read all files")
def test_a_file_that_may_not_be_read_is_told(place):
    (place / "a.pcsf").chmod(0)
    with pytest.raises(Refusal, match="Permission denied"):
        Roots([str(place)]).read("a.pcsf", MOST)


def test_a_file_that_grows_is_read_no_further(place, monkeypatch):
    real = os.fstat

    def small(handle):
        status = real(handle)
        return os.stat_result((*status[:6], 1, *status[7:10]))

    monkeypatch.setattr(os, "fstat", small)
    with pytest.raises(Refusal, match="101 bytes"):
        Roots([str(place)]).read("large", MOST)


def test_a_device_is_not_opened(place, monkeypatch):
    try:
        os.mknod(place / "device", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices are for root to make")
    opened = []
    real = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *a, **k: opened.append(path) or real(path, *a, **k)
    )
    monkeypatch.setattr(os, "supports_dir_fd", {*os.supports_dir_fd, os.open})
    with pytest.raises(Refusal, match="no regular file"):
        Roots([str(place)]).read("device", MOST)
    assert opened == [place]


def test_where_folders_cannot_be_opened_the_same_holds(place, monkeypatch):
    """As on Windows."""
    monkeypatch.setattr(os, "supports_dir_fd", set())
    roots = Roots([str(place)])
    assert roots.read("below/b.pcsf", MOST) == b"deeper"
    for path in ("escape", "out/secret", "pipe", "below"):
        with pytest.raises(Refusal):
            roots.read(path, MOST)
