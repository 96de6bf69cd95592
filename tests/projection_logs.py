"""Pi logs for the tests of the projection: built by hand, at random, or by hypothesis.

log = LogBuilder()
log.user("list the files")
log.turn(calls=[("bash", {"command": "ls"})], results=["a.txt"])
log.compaction("what happened", keep=log.ids[-1])
tree = log.tree()                # or log.branch(), log.raw(), log.write(path)

random_log(7, steps=40)          # every shape a log can have, the same for a seed
chat_log(10_000)                 # long and plain: turns of user, call, result, reply
@given(logs())                   # a builder per example, shrinking by steps
"""

import json
import random
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from kernel.projection.log.branch import read_tree

START = datetime(2026, 1, 1, tzinfo=UTC)
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "file",
    "parser",
    "token",
    "branch",
    "commit",
    "fails",
    "passes",
    "module",
    "kernel",
    "range",
    "summary",
    "decision",
    "because",
    "must",
    "never",
    "src/app.py",
    "tests/test_app.py",
    "error",
    "TypeError",
]
CJK = "会話の履歴は決して書き換えない。 分支与纪元 압축은 되돌릴 수 있다 🔥"
TOOLS = ("bash", "read", "grep", "edit", "write", "fetch", "task", "test")


def iso(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


def text(value):
    return {"type": "text", "text": value}


def image():
    return {"type": "image", "data": PIXEL, "mimeType": "image/png"}


def spell(entry):
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class LogBuilder:
    """A log under construction; every method that adds an entry returns its id.

    `leaf` is where the next entry hangs; `move` sets it as a tree move does. `step` is the
    time between two entries.
    """

    def __init__(self, session="S-1", *, seed=0, version=3, parent_session=None, step=1000):
        self.header = {
            "type": "session",
            "version": version,
            "id": session,
            "timestamp": iso(START),
            "cwd": "/w",
        }
        if parent_session is not None:
            self.header["parentSession"] = str(parent_session)
        self.entries = []
        self.leaf = None
        self.rng = random.Random(seed)
        self.step = timedelta(milliseconds=step)
        self._taken = set()
        self._calls = 0

    # Entries

    @property
    def ids(self):
        return [entry["id"] for entry in self.entries]

    @property
    def now(self):
        return START + self.step * (len(self.entries) + 1)

    @property
    def stamp(self):
        """The time of the next message, in Unix milliseconds."""
        return int(self.now.timestamp() * 1000)

    def new_id(self):
        while True:
            name = f"{self.rng.getrandbits(32):08x}"
            if name not in self._taken:
                self._taken.add(name)
                return name

    def add(self, kind, /, **fields):
        entry = {
            "type": kind,
            "id": fields.pop("id", None) or self.new_id(),
            "parentId": fields.pop("parent", self.leaf),
            "timestamp": iso(self.now),
            **fields,
        }
        self.entries.append(entry)
        self.leaf = entry["id"]
        return self.leaf

    def message(self, role, content, **fields):
        where = {key: fields.pop(key) for key in ("id", "parent") if key in fields}
        body = {"role": role, "content": content, **fields, "timestamp": self.stamp}
        return self.add("message", **where, message=body)

    def user(self, said="hello", *, picture=False, **fields):
        parts = [text(said), *([image()] if picture else [])]
        return self.message("user", parts, **fields)

    def assistant(
        self, said=None, *, thinking=None, calls=(), stop=None, tokens=None, error=None, **fields
    ):
        """Calls are (call id, tool, arguments); `tokens` is what its usage reports in all."""
        parts = []
        if thinking is not None:
            parts.append({"type": "thinking", "thinking": thinking, "thinkingSignature": "c2ln"})
        if said is not None:
            parts.append(text(said))
        for name, tool, arguments in calls:
            parts.append({"type": "toolCall", "id": name, "name": tool, "arguments": arguments})
        usage = {"input": 10, "output": 5, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 15}
        if tokens is not None:
            usage |= {"input": tokens - 5, "totalTokens": tokens}
        more = {"errorMessage": error} if error else {}
        return self.message(
            "assistant",
            parts,
            api="anthropic-messages",
            provider="anthropic",
            model="claude-x",
            usage=usage,
            stopReason=stop or ("toolUse" if calls else "stop"),
            **more,
            **fields,
        )

    def result(self, call, tool="bash", said="done", *, error=False, picture=False, **fields):
        parts = [text(said), *([image()] if picture else [])]
        return self.message(
            "toolResult", parts, toolCallId=call, toolName=tool, isError=error, **fields
        )

    def new_call(self):
        self._calls += 1
        return f"call_{self._calls}"

    def turn(
        self, said=None, *, calls=(), results=None, thinking=None, errors=(), order=None, **fields
    ):
        """Add an assistant message with its calls, (tool, arguments), and their results.

        `results` shorter than the calls leaves the rest unanswered; `errors` are indices of
        failed results, `order` the order results come in. Returns the ids it added.
        """
        names = [self.new_call() for _ in calls]
        whole = [(name, *call) for name, call in zip(names, calls, strict=True)]
        added = [self.assistant(said, thinking=thinking, calls=whole, **fields)]
        texts = ["done"] * len(names) if results is None else results
        for at in order or range(len(texts)):
            tool = calls[at][0]
            added.append(self.result(names[at], tool, texts[at], error=at in errors))
        return added

    def bash(self, command="ls", output="a.txt", *, code=0, exclude=False):
        body = {
            "role": "bashExecution",
            "command": command,
            "output": output,
            "exitCode": code,
            "cancelled": False,
            "truncated": False,
            "timestamp": self.stamp,
        }
        if exclude:
            body["excludeFromContext"] = True
        return self.add("message", message=body)

    def custom(self, custom_type, data=None, **fields):
        """Add a custom entry, which no model sees; a journal entry is one."""
        return self.add("custom", customType=custom_type, data=data, **fields)

    def custom_message(self, content="a note", *, custom_type="demo-ext", display=False):
        return self.add("custom_message", customType=custom_type, content=content, display=display)

    def compaction(self, summary="summary", keep=None, *, before=1000, **fields):
        """Add a compaction; `keep` is the first kept id, None keeps nothing."""
        name = fields.pop("id", None) or self.new_id()
        kept = keep or name
        return self.add(
            "compaction",
            id=name,
            summary=summary,
            firstKeptEntryId=kept,
            tokensBefore=before,
            **fields,
        )

    def branch_summary(self, summary="the other branch", *, source="root"):
        return self.add("branch_summary", fromId=source, summary=summary)

    def edit(self, target, content=None):
        """Edit an entry's content for the context; None leaves the entry out."""
        replacement = None if content is None else {"content": content}
        return self.add("context_edit", targetId=target, replacement=replacement)

    def label(self, target, name="here"):
        return self.add("label", targetId=target, label=name)

    def model_change(self, model="claude-y"):
        return self.add("model_change", provider="anthropic", modelId=model)

    def thinking_level(self, level="high"):
        return self.add("thinking_level_change", thinkingLevel=level)

    def session_info(self, name="demo"):
        return self.add("session_info", name=name)

    def move(self, leaf):
        self.leaf = leaf

    # Reading

    def path(self, leaf=None):
        """Return the ids from the root to a leaf."""
        parents = {entry["id"]: entry["parentId"] for entry in self.entries}
        found, at = [], leaf or self.leaf
        while at is not None:
            found.append(at)
            at = parents.get(at)
        return found[::-1]

    def lines(self):
        return [spell(self.header), *map(spell, self.entries)]

    def raw(self):
        return b"".join(self.lines())

    def tree(self):
        return read_tree(self.lines())

    def branch(self, leaf=None):
        return self.tree().branch(leaf)

    def write(self, path):
        path.write_bytes(self.raw())
        return path

    def fork(self, session="S-2", *, leaf=None, parent_session=None, drop=("label",), seed=99):
        """Copy the branch to a leaf with its ids, entries of the dropped types left out."""
        copy = LogBuilder(session, seed=seed, parent_session=parent_session)
        copy.step = self.step
        by_id = {entry["id"]: entry for entry in self.entries}
        for name in self.path(leaf):
            entry = by_id[name]
            if entry["type"] not in drop:
                copy.entries.append({**entry, "parentId": copy.leaf})
                copy.leaf = name
        copy._taken = set(self._taken)
        # A fork's header is of the moment it is made.
        copy.header["timestamp"] = iso(self.now)
        return copy


def prose(rng, low=5, high=30):
    return " ".join(rng.choices(WORDS, k=rng.randint(low, high)))


def call(rng):
    tool = rng.choice(TOOLS)
    return (tool, {"path": f"src/{rng.choice(WORDS)}.py", "limit": rng.randint(1, 200)})


def _parallel(log, rng):
    count = rng.randint(2, 4)
    order = rng.sample(range(count), count)
    log.turn(
        "several at once",
        calls=[call(rng) for _ in range(count)],
        results=[prose(rng) for _ in range(count)],
        order=order,
        thinking=prose(rng),
    )


def _on_path(log, rng, kind="message"):
    by_id = {entry["id"]: entry for entry in log.entries}
    names = [name for name in log.path() if by_id[name]["type"] == kind]
    return rng.choice(names) if names else None


def _compaction(log, rng):
    log.compaction(prose(rng), _on_path(log, rng))


def _edit(log, rng):
    target = _on_path(log, rng)
    if target is not None:
        log.edit(target, rng.choice((None, "(trimmed)", [text("(trimmed)")])))


def _move(log, rng):
    """Go back on the branch, as a tree move that leaves no trace does."""
    path = log.path()
    if path:
        log.move(rng.choice(path))


def _summarised_move(log, rng):
    old = log.leaf
    _move(log, rng)
    log.branch_summary(prose(rng), source=old or "root")


#: What can happen in a log: name → a function of the builder and a random source.
STEPS = {
    "user": lambda log, rng: log.user(prose(rng)),
    "reply": lambda log, rng: log.assistant(prose(rng), tokens=rng.randint(100, 90_000)),
    "thinking": lambda log, rng: log.assistant(prose(rng), thinking=prose(rng)),
    "call": lambda log, rng: log.turn(calls=[call(rng)], results=[prose(rng)]),
    "parallel": _parallel,
    "failed": lambda log, rng: log.turn(calls=[call(rng)], results=["TypeError: no"], errors=(0,)),
    "pictured": lambda log, rng: log.result(
        log.new_call(), "read", "a picture", picture=bool(rng.randint(0, 1))
    ),
    "unanswered": lambda log, rng: log.turn(calls=[call(rng), call(rng)], results=[prose(rng)]),
    "aborted": lambda log, rng: log.turn("half", calls=[call(rng)], results=[], stop="aborted"),
    "error": lambda log, _rng: log.assistant("", stop="error", error="overloaded"),
    "bash": lambda log, rng: log.bash("make test", prose(rng), code=rng.randint(0, 1)),
    "hidden bash": lambda log, rng: log.bash("env", prose(rng), exclude=True),
    "cjk": lambda log, _rng: log.user(CJK),
    "picture": lambda log, _rng: log.user("look at this", picture=True),
    "note": lambda log, rng: log.custom_message(prose(rng)),
    "custom": lambda log, rng: log.custom("demo-ext", {"n": rng.randint(0, 9)}),
    "label": lambda log, rng: log.label(_on_path(log, rng) or "none"),
    "model": lambda log, rng: log.model_change(rng.choice(("claude-x", "claude-y"))),
    "level": lambda log, rng: log.thinking_level(rng.choice(("off", "high"))),
    "info": lambda log, _rng: log.session_info(),
    "compaction": _compaction,
    "keep none": lambda log, rng: log.compaction(prose(rng)),
    "edit": _edit,
    "move": _move,
    "summarised move": _summarised_move,
}
#: Without what makes another branch or epoch, or protocol no sane agent writes.
PLAIN = tuple(
    name
    for name in STEPS
    if name not in ("move", "summarised move", "compaction", "keep none", "pictured", "edit")
)


def log_of(steps, seed=0, **header):
    """Build a log of named steps."""
    log = LogBuilder(seed=seed, **header)
    for name in steps:
        STEPS[name](log, log.rng)
    return log


def random_log(seed, steps=30, names=tuple(STEPS), **header):
    """Build a log of random steps: the same log for the same seed."""
    rng = random.Random(f"steps {seed}")
    return log_of(("user", *rng.choices(names, k=steps)), seed, **header)


def chat_log(messages=1000, seed=1, words=(20, 60), **header):
    """Build a plain log of so many messages: user, call, result, reply, and again."""
    log = LogBuilder(seed=seed, **header)
    rng = log.rng
    low, high = words
    while len(log.entries) < messages:
        log.user(prose(rng, low, high))
        calls = [call(rng) for _ in range(1 + (rng.random() < 0.2))]
        results = [prose(rng, low, high) for _ in calls]
        used = min(190_000, 500 + 40 * len(log.entries))
        thought = prose(rng, 5, 15)
        log.turn(prose(rng, 3, 8), calls=calls, results=results, thinking=thought, tokens=used)
        log.assistant(prose(rng, low, high), tokens=min(190_000, 500 + 40 * len(log.entries)))
    del log.entries[messages:]
    log.leaf = log.entries[-1]["id"] if log.entries else None
    return log


def logs(names=tuple(STEPS), min_steps=0, max_steps=25, **header):
    """Return a strategy of builders that shrinks by steps."""
    steps = st.lists(st.sampled_from(names), min_size=min_steps, max_size=max_steps)
    return st.builds(lambda found, seed: log_of(found, seed, **header), steps, st.integers(0, 99))
