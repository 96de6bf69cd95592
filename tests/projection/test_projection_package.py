"""The package's front: its names, and that taking one costs one."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from kernel import projection

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", projection.__all__)
def test_every_public_name_is_what_its_module_has(name):
    place = import_module(f"kernel.projection.{projection._PLACES[name]}")
    assert getattr(projection, name) is getattr(place, name)
    assert name in place.__all__
    assert name in dir(projection)


def test_the_list_is_whole_and_no_name_hides_a_module():
    assert set(projection._PLACES) == set(projection.__all__)
    folder = ROOT / "kernel/projection"
    modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not modules & set(projection.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        projection.nothing  # noqa: B018 - the attribute is what is tried


def test_importing_the_package_imports_none_of_its_modules():
    code = (
        "import sys, kernel.projection\n"
        "print([name for name in sys.modules if name.startswith('kernel.projection.')])\n"
        "kernel.projection.Config\n"
        "print('kernel.projection.settings.config' in sys.modules, 'kernel.projection.log.branch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["[]", "True False"]
