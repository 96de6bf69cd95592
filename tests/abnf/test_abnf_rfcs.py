"""The grammars of thirty RFCs, against the `abnf` package that bundles them.

Strings are derived from every rule (members), spoiled with a character that no
grammar has, and cut at either end (members or not). Both sides must agree on
each; hand-made examples say what the RFCs themselves say.
"""

import functools
import importlib
import random
import textwrap

import pytest
from attrs import evolve
from derive import alien, derive, spoil

from pcsf_lark.abnf import load, only, scan, whole
from pcsf_lark.abnf.writing.to_abnf import node_abnf

abnf = pytest.importorskip("abnf")

#: RFC to a start rule, with texts that are of it and texts that are not.
TABLE = {
    "rfc2616": ("HTTP-date", ["Sun, 06 Nov 1994 08:49:37 GMT"], ["Sun, 6 Nov 1994 08:49:37 GMT"]),
    "rfc3339": (
        "date-time",
        ["1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1937-01-01t12:00:27.87+00:20"],
        ["1985-04-12 23:20:50Z", "1985-04-12T23:20Z", ""],
    ),
    "rfc3629": ("UTF8-octets", ["", "\xc3\xa9", "\xf4\x8f\xbf\xbf"], ["\xc0\x80", "\xed\xa0\x80"]),
    "rfc3986": (
        "URI",
        [
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "http://www.ietf.org/rfc/rfc2396.txt",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "mailto:John.Doe@example.com",
            "news:comp.infosystems.www.servers.unix",
            "tel:+1-816-555-1212",
            "telnet://192.0.2.16:80/",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "HTTP://10.0.0.1/",
        ],
        ["//host", "1a:b", "a b:c", "http://[::1/", "http://a/%zz"],
    ),
    "rfc3987": ("IRI", ["http://r\xe9sum\xe9.example/", "a:"], ["http://a/\ue000", "\xe9:a"]),
    "rfc4647": ("language-range", ["de-CH", "*", "zh-Hant"], ["", "de_CH", "*-CH-"]),
    "rfc5234": (
        "rulelist",
        ['a = "x"\r\n', "a = 1*(b / %x41-5A)\r\n   ; c\r\nb =/ <p>\r\n"],
        ["a = ", '8a = "x"\r\n', 'a = "x"\n', 'a = "x"'],
    ),
    "rfc5322": (
        "address",
        ["a@b.c", '"q" <q@x>', "A Group: Ed Jones <joe@where.test>, john@d.test;", "(c)a@b(d)"],
        ["@b", "a@@b", "a b@c", "a@b,"],
    ),
    "rfc5646": (
        "Language-Tag",
        ["de", "zh-cmn-Hans-CN", "sl-rozaj-biske", "de-CH-1996", "x-whatever", "i-klingon"],
        ["", "de_CH", "de-", "a-DE-"],
    ),
    "rfc5987": ("ext-value", ["iso-8859-1'en'%A3%20rates", "UTF-8''%c2%a3"], ["''", "UTF-8'x"]),
    "rfc6265": (
        "set-cookie-string",
        ["SID=31d4d96e407aad42; Path=/; Secure; HttpOnly", "lang=en-US; Path=", "a=b"],
        ["a", "=b", "a=b;", "a=b c"],
    ),
    "rfc6266": (
        "content-disposition",
        ["Content-Disposition: attachment; filename=x", "content-disposition:inline"],
        ["Content-Disposition:", "attachment"],
    ),
    "rfc6797": ("directive", ["max-age=31536000", "includeSubDomains"], ["=1", "a="]),
    "rfc7230": ("Transfer-Encoding", ["chunked", "gzip, chunked", 'x;a="b"'], ["gzip chunked"]),
    "rfc7231": ("Accept", ["text/*;q=0.3, text/html;level=1", "*/*", ""], ["text", "a/b;=2"]),
    "rfc7232": ("If-Match", ['"xyzzy"', 'W/"a", "b"', "*"], ["xyzzy", "'a'"]),
    "rfc7233": ("Range", ["bytes=0-499", "bytes=-500", "bytes=0-0,-1"], ["bytes", "bytes="]),
    "rfc7234": ("Cache-Control", ["max-age=60, no-cache", 'private="x"'], ["max age=60"]),
    "rfc7235": ("WWW-Authenticate", ['Basic realm="x"', "a, b c=d"], ["=", "Basic realm=,="]),
    "rfc7239": ("Forwarded", ["for=192.0.2.43, for=198.51.100.17", 'for="_x"'], ["for=[::1]"]),
    "rfc7240": (
        "Prefer",
        ["Prefer: respond-async, wait=100", 'prefer:foo; bar=""'],
        ["Prefer: a b"],
    ),
    "rfc7405": ("rulelist", ['a = %s"x"\r\n', 'a = %i"x"\r\n'], ['a = %q"x"\r\n']),
    "rfc7489": ("dmarc-record", ["v=DMARC1; p=none", "v=DMARC1;p=reject;pct=20"], ["v=DMARC2"]),
    "rfc7838": ("Alt-Svc", ['h2=":8000"', "clear", 'h2="a:1"; ma=60'], ["h2", "h2=:80"]),
    "rfc8187": ("ext-value", ["UTF-8'en'%c2%a3%20rates"], ["UTF-8en%c2"]),
    "rfc8288": ("Link", ['<http://a/b>; rel="x"', "<>;rel=x, <y>", ""], ["http://a/b"]),
    "rfc9051": ("mailbox-list", ['() "/" INBOX', '(\\Noselect) "." "a.b"'], ["() / a", "INBOX"]),
    "rfc9110": ("Accept", ["audio/*; q=0.2, audio/basic", "text/html;level=1"], ["text/html;q="]),
    "rfc9111": ("Cache-Control", ["max-age=604800", "no-store, private"], ["max-age 1"]),
    "rfc9116": (
        "body",
        ["Contact: mailto:s@example.com\r\nExpires: 2030-01-01T00:00:00Z\r\n"],
        ["Contact: x\r\n"],
    ),
    "rfc9651": (
        "sf-list",
        ["sugar, tea, rum", '("foo" "bar"), ("baz")', "abc;a=1;b=2"],
        [",", "(a"],
    ),
}
#: What RFC 6265 says in prose, as its own text means it.
PROSE = {
    "subdomain": 'label *("." label)',
    "rfc1123-date, defined in [RFC2616], Section 3.3.1": "date",
    'any CHAR except CTLs or ";"': "*(%x20-3A / %x3C-7E)",
}
#: Longer texts are not given to the peer; so many of those that are may be left out.
LONG = 300
MOST_SKIPPED = 0.1
HELP = {
    "rfc6265": 'label = 1*(ALPHA / DIGIT / "-")\ndate = 1*(ALPHA / DIGIT / SP / "," / ":")\n',
}


@functools.cache
def _text(name):
    """The grammar's text, with a line for each rule it takes from elsewhere, and from where."""
    module = importlib.import_module(f"abnf.grammars.{name}")
    source = module.Rule.grammar
    text = source if isinstance(source, str) else "\n".join(source) + "\n"
    text = textwrap.dedent(text.replace("\r\n", "\n")) + HELP.get(name, "")
    own = {rule.key for rule in scan(text)[0].rules}
    wanted = {}
    for here, rule in getattr(module.Rule, "_imported_rules", ()):
        home = type(rule).__module__.rpartition(".")[2]
        if home != name:
            wanted.setdefault(home, []).append(rule.name)
            if here.lower() not in own:
                text += f"{here} = <{rule.name}, see [{home}]>\n"
    return text, wanted


@functools.cache
def _grammar(name, start=""):
    text, wanted = _text(name)
    imports = [only(_grammar(home), *names) for home, names in wanted.items()]
    return load(text, start=start, imports=imports, bind=PROSE if name == "rfc6265" else None)


@functools.cache
def _peer(name):
    """The peer's rules; of RFC 6265 with its prose bound to what ours is bound to, else it raises."""
    if name != "rfc6265":
        return importlib.import_module(f"abnf.grammars.{name}").Rule

    class Rule(abnf.Rule):
        pass

    grammar = _grammar(name)
    for rule in whole(grammar, *(one.name for one in grammar)).rules:
        Rule.create(f"{rule.name} = {node_abnf(rule.definition)}")
    return Rule


def _theirs(name, start):
    rule = _peer(name)(start)

    def accepts(text):
        try:
            rule.parse_all(text)
        except abnf.ParseError:
            return False
        return True

    return accepts


@pytest.mark.parametrize("name", TABLE)
def test_examples(name):
    start, good, bad = TABLE[name]
    grammar, accepts = _grammar(name, start), _theirs(name, start)
    assert [text for text in good + bad if grammar.match(text)] == good
    assert [text for text in good + bad if accepts(text)] == good
    for text in good:
        leaves = grammar.tree(text).scan_values(lambda _: True)
        assert "".join(leaves) == text


@pytest.mark.parametrize("name", TABLE)
def test_agreement_on_derived_strings(name):
    grammar = _grammar(name)
    rng, odd = random.Random(name), alien(grammar)
    disagreements, tried, skipped = [], 0, 0
    for rule in grammar.rules:
        ours, theirs = evolve(grammar, start=rule.name), _theirs(name, rule.name)
        for _ in range(3):
            text = derive(grammar, rule.name, rng)
            assert ours.match(text), (rule.name, text)
            assert not ours.match(spoil(text, odd, rng))
            # The peer takes minutes over some long texts.
            texts = [text, spoil(text, odd, rng), text[1:], text[:-1]]
            short = [one for one in texts if len(one) < LONG]
            tried, skipped = tried + len(short), skipped + len(texts) - len(short)
            disagreements += [(rule.name, one) for one in short if ours.match(one) != theirs(one)]
    assert disagreements == []
    assert tried + skipped == 12 * len(grammar.rules)
    assert skipped <= tried * MOST_SKIPPED


@pytest.mark.parametrize("name", TABLE)
def test_auto_builds_a_parser_that_agrees(name):
    """LALR where that is proved to do, else Earley; either way the same language."""
    start, good, bad = TABLE[name]
    grammar = _grammar(name, start)
    translation = grammar.translate()
    assert (translation.parser == "earley") == bool(translation.notes)
    parser = translation.build()
    from lark.exceptions import UnexpectedInput

    def accepts(text):
        try:
            parser.parse(text)
        except UnexpectedInput:
            return False
        return True

    short = [text for text in good + bad if len(text) < 60]
    assert [text for text in short if accepts(text)] == [text for text in good if text in short]
