"""State objects, chains, hostile texts and whole pages for the tests of pages."""

from pathlib import Path

from attrs import evolve
from conformance_runs import right, run_of, wrong

import cso
from cso import CognitiveStateObject, Decision, Edge, Fact, GoalState
from pcsf_lark.conformance import Answer
from pcsf_lark.faces.pages.capsule_view import capsule_view
from pcsf_lark.faces.pages.documents import html
from pcsf_lark.faces.pages.state_view import signature, state_view
from pcsf_lark.faces.pages.suite_page import suite_page
from pcsf_lark.faces.pages.suite_view import suite_view
from pcsf_lark.faces.show.states import state_views
from pcsf_lark.faces.show.views import Keys
from pcsf_lark.source import Source
from pcsf_lark.spec import LAYERS, LIMIT

KEY = b"thirty-two bytes of key material"
SESSION = "crp_sess_1"

#: Texts that a browser, GitHub or a terminal would make something of.
HOSTILE = (
    "<script>alert(1)</script>",
    "</title></style></script><img src=x onerror=alert(1)>",
    "\"' onmouseover='alert(1)' x=\"",
    "<!-- --><b>bold</b> & &lt;i&gt; &#64;",
    "\u202eevil\u2066 \u200b\u00ad \U000e0041",
    "\x1b[31mred\x1b[0m \x00 \x07 \x9b31m",
    "w" * 3_000,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U00020bb7 \u0645\u0631\u062d\u0628\u0627 \u5de5\u4f5c",
    "{{ 7 * 7 }} {% raw %} {# x #}",
    "a | b \\| c `d` ``e`` ~~f~~ **g** _h_ snake_case $i$ :tada: :a:b:",
    "[a](http://x.y) ![b](c) [^1] <http://x.y> http://x.y www.x.y a@b.co @octocat #12 GH-3",
    "# heading",
    "- item\n\n## heading\n\n```\nfence\n```\n\n| a |\n|---|\n",
    "1. one",
    "2) two",
    "> quote",
    "===",
    "\u2028\u2029\u0085next\r\nline\ttab",
    "ftp://x mailto:a@b.co xmpp:a@b.co HTTPS://X.Y",
    "]]> <![CDATA[ <svg onload=x> <?php",
    "\ufeff\ufffe\U0010ffff",
    "z\u0300\u0301\u0302\u0303" * 40,
)


def bland(text):
    """As long a text that nothing would be made of."""
    return "".join("x" if not char.isspace() else char for char in text)


def state(texts, window=0):
    """An object with every text, in every place that takes one."""
    texts = list(texts)
    facts = [
        Fact(
            fact_id=f"f{n} {text}",
            statement=text,
            provenance="TOOL" if n % 2 else "USER",
            provenance_ref=text if n % 2 else "",
            confidence=0.5,
            window_origin=1,
            status="STALE" if n % 3 == 0 else "VALID",
        )
        for n, text in enumerate(texts)
    ]
    decisions = [
        Decision(
            decision_id=f"d{n} {text}",
            choice=text,
            rationale=text,
            alternatives=[text, "other"],
            depends_on=[facts[n].fact_id, facts[n - 1].fact_id] if n % 2 else [],
            window_origin=1,
        )
        for n, text in enumerate(texts)
    ]
    edges = [Edge(dependent=facts[0].fact_id, depends_on=f"gone {text}") for text in texts[:3]]
    goal = GoalState(
        mode="AGENTIC", objective=texts[0], remaining=[f"{n} {t}" for n, t in enumerate(texts)],
        success_test=texts[-1],
    )  # fmt: skip
    return CognitiveStateObject(
        cso_id=texts[0],
        window_number=window,
        goal_state=goal,
        established_facts=facts,
        decisions=decisions,
        open_questions=texts,
        constraints=texts,
        dependency_graph=edges,
    )


def small(**members):
    """An object of a few words."""
    given = {
        "cso_id": "draft",
        "window_number": 0,
        "goal_state": GoalState(mode="AGENTIC", objective="size the cluster"),
        "constraints": ["no downtime"],
        "established_facts": [
            fact("cpu", "CPU is at 87%", provenance="TOOL", provenance_ref="scratch_4"),
            fact("limit", "scale above 80%"),
        ],
        "decisions": [
            Decision(
                decision_id="scale", choice="5 nodes", rationale="87% is above 80%",
                alternatives=["3 larger nodes"], depends_on=["cpu", "limit"], window_origin=1,
            )
        ],
    }  # fmt: skip
    return CognitiveStateObject(**{**given, **members})


def fact(name, statement, **members):
    """A fact that a user told."""
    given = {"provenance": "USER", "confidence": 1.0, "window_origin": 1}
    return Fact(fact_id=name, statement=statement, **{**given, **members})


def chain(length=3):
    """A signed chain: each window adds a fact to the one before."""
    made = [cso.relay(None, small(), KEY, SESSION).cso]
    for number in range(2, length + 1):
        facts = [*made[-1].established_facts, fact(f"n{number}", f"news of window {number}")]
        made.append(
            cso.relay(made[-1], evolve(made[-1], established_facts=facts), KEY, SESSION).cso
        )
    return made


def full():
    """1,200 bytes that take the most room in HTML, and as many findings as may be."""
    head = "===PCSF:v1.2===\nMETA: & | & | DEEP | 2026-01-01T00:00Z\n\n"
    rows = {
        1: ["CHOICE | & | &"] * 12, 2: ["& | & | &"] * 8, 3: ["INTUITION: &"] * 6,
        4: ["STYLE: &"] * 5, 5: ["PROMISE | & | LOW"] * 8,
    }  # fmt: skip
    body = "".join(f"{layer.header}\n" + "\n".join(rows[layer.number]) + "\n\n" for layer in LAYERS)
    tail = "\n===END===\n"
    room = LIMIT - len(head + body + tail) - len("SEED: ")
    return (head + body + "SEED: " + '"' * room + tail).encode()


def many(count):
    facts = [fact(f"f{n}", f"reading {n} is {n * 7 % 101}") for n in range(count)]
    facts[17] = evolve(facts[17], status="STALE")
    decisions = [
        cso.Decision(
            decision_id=f"d{n}", choice=f"choice {n}", rationale="seen",
            depends_on=[f"f{n}", f"f{(n * 3 + 1) % count}"], window_origin=1,
        )
        for n in range(count // 10)
    ]  # fmt: skip
    return small(established_facts=facts, decisions=decisions)


def forked():
    one, two, *_ = chain(2)
    other = cso.sign(cso.bind(small(constraints=["other"]), one), KEY, SESSION)
    joined = cso.sign(cso.bind(small(constraints=["both"]), two, other), KEY, SESSION)
    return [one, two, other, joined]


CORPUS = Path(__file__).parent / "corpus"
KEYS = Keys([cso.Key(KEY)], SESSION)


def capsules(*names):
    found = [capsule_view(name, Source.of((CORPUS / name).read_bytes())) for name in names]
    return html(found)


def planted(data):
    return html([capsule_view("a.pcsf", Source.of(data))])


def revised():
    draft, _ = cso.on_tool_refresh(
        chain(2)[-1], "scratch_4", cso.output_hash("87%"), cso.output_hash("45%")
    )
    draft, _ = cso.revise(draft, "scale", "3 nodes", "45% is below 80%", because="limit")
    return html([state_view("a.json", draft, signature(draft))])


def chained(entries):
    data = b"".join(cso.dumps(entry) + b"\n" for entry in entries)
    return html(list(state_views([("chain.jsonl", data)], KEYS)))


#: Folders of the suite with cases enough for every result.
FOLDERS = ("valid/minimal", "valid/realistic", "mixed/")


def suite():
    """A run with wrong answers of every kind, and words of all kinds in them."""

    def answer(case):
        number = len(case.stdin) % 5
        if number == 0:
            return Answer(3, ("w" * 3_000).encode(), "\n".join(HOSTILE).encode("utf-8", "replace"))
        return wrong(case) if number == 1 else right(case)

    run = run_of(answer, level="tree", fits=lambda name: name.startswith(FOLDERS))
    return suite_page(suite_view(run, name="w" * 300))


PAGES = {
    "novel": lambda: capsules("valid/realistic/novel.pcsf"),
    "several": lambda: capsules(
        "valid/realistic/novel.pcsf", "valid/realistic/software-parser-rewrite.pcsf"
    ),
    "full": lambda: planted(full()),
    "noise": lambda: planted(bytes(range(256)) * 4),
    "long words": lambda: planted(
        b"===PCSF:v1===\nMETA: " + b"w" * 300 + b"\n\nL1:SKELETON\nCHOICE | " + b"w" * 700
    ),
    "object": revised,
    "many facts": lambda: html([state_view("many.json", many(2_000))]),
    "hostile": lambda: html([state_view("x", state(HOSTILE))]),
    "chain": lambda: chained(chain(4)),
    "branches": lambda: chained(forked()),
    "broken chain": lambda: chained(chain(4)[::-1]),
    "suite": suite,
    "no object": lambda: html(list(state_views([("x.json", b'{"a": 1}')], KEYS))),
}
