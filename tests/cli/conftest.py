"""The folder that the examples of the commands are at home in."""

import shlex
import shutil

import example_folder
import forks
import pytest
from command_tree import KEY


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Every file that an example names, made once a worker."""
    folder = tmp_path_factory.mktemp("examples")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PCSF_RELAY_KEY", KEY)
        patch.setenv("HOME", str(folder / "home"))
        (folder / "home").mkdir()
        (folder / "bin").mkdir()
        script = folder / "bin/pcsf"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(forks.command())} "$@"\n', "utf-8")
        script.chmod(0o755)
        example_folder.build(folder)
    return folder


@pytest.fixture
def folder(built, tmp_path):
    """A copy of it, to write in."""
    return shutil.copytree(built, tmp_path / "work")
