import pytest

from kernel.projection.config import CoolingOverride
from kernel.projection.cooling.profiles import PROFILES, TOOLS, check_overrides, profile_of

NAMED = {
    "retrieval": "read grep find ls web fetch get search diagnostics",
    "execution-evidence": "bash test build",
    "mutation-evidence": "edit write fix apply apply_patch",
    "protocol-control": "aili_compact aili_anything task hub session",
    "unknown": "Read READ read_file reader xread bash2 mcp__x todo browser",
}


@pytest.mark.parametrize(
    ("tool", "profile"), [(t, p) for p, tools in NAMED.items() for t in tools.split()]
)
def test_tools_are_judged_by_their_exact_name(tool, profile):
    assert profile_of(tool).name == profile


@pytest.mark.parametrize("tool", [None, 7, "", " read", "read\n", "re*d", ["read"], "x" * 200])
def test_what_is_no_name_is_unknown(tool):
    assert profile_of(tool) is PROFILES["unknown"]


def test_the_table_says_what_cools_and_when():
    assert {p.name: (p.cools, p.observations, p.newest_raw) for p in PROFILES.values()} == {
        "retrieval": ("by-itself", 2, True),
        "execution-evidence": ("by-itself", 3, False),
        "mutation-evidence": ("asked", 3, False),
        "unknown": ("never", 0, False),
        "protocol-control": ("never", 0, False),
    }
    assert set(TOOLS.values()) < set(PROFILES)


OVERRIDES = [
    # tool, profile, observations -> code of the diagnostic, or (profile, observations) in force
    ("read", None, 4, ("retrieval", 4)),
    ("read", None, 2, ("retrieval", 2)),
    ("read", "execution-evidence", None, ("execution-evidence", 3)),
    ("read", "mutation-evidence", 9, ("mutation-evidence", 9)),
    ("read", "protocol-control", None, ("protocol-control", 0)),
    ("bash", "mutation-evidence", None, ("mutation-evidence", 3)),
    ("lookup", "retrieval", None, ("retrieval", 2)),
    ("lookup", "retrieval", 5, ("retrieval", 5)),
    ("read", None, 1, "cooling-override-weakens"),
    ("read", None, 0, "cooling-override-weakens"),
    ("read", "execution-evidence", 2, "cooling-override-weakens"),
    ("lookup", "retrieval", 1, "cooling-override-weakens"),
    ("bash", "retrieval", None, "cooling-override-weakens"),
    ("edit", "execution-evidence", 99, "cooling-override-weakens"),
    ("aili_compact", "retrieval", None, "cooling-override-weakens"),
    ("aili_other", "mutation-evidence", 50, "cooling-override-weakens"),
    ("task", "retrieval", None, "cooling-override-weakens"),
    ("read", "unknown", None, "cooling-override-profile"),
    ("read", "nonsense", None, "cooling-override-profile"),
    ("*", "retrieval", None, "cooling-override-wildcard"),
    ("re?d", None, 5, "cooling-override-wildcard"),
    ("read*", None, 5, "cooling-override-wildcard"),
    ("[r]ead", None, 5, "cooling-override-wildcard"),
    ("", None, 5, "cooling-override-wildcard"),
]


@pytest.mark.parametrize(("tool", "profile", "least", "expected"), OVERRIDES)
def test_overrides_choose_a_profile_or_tighten(tool, profile, least, expected):
    override = CoolingOverride(tool, profile, least)
    held, notes = check_overrides([override])
    in_force = profile_of(tool, [override])
    if isinstance(expected, str):
        assert not held
        assert [note.code for note in notes] == [expected]
        assert in_force == profile_of(tool)
        if "*" in tool:
            assert tool not in notes[0].message
    else:
        assert held == (override,)
        assert not notes
        assert (in_force.name, in_force.observations) == expected


def test_the_later_override_of_a_tool_holds():
    first, second = CoolingOverride("read", None, 9), CoolingOverride("read", None, 4)
    assert profile_of("read", (first, second)).observations == 4
    assert profile_of("grep", (first, second)) is PROFILES["retrieval"]
