"""A browser for tests: Debian's Chromium, asked over a pipe in its own protocol."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: Only the browser's own housekeeping is turned off: what a page asks for is still asked.
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--remote-debugging-pipe",
)
PATIENCE = 60
#: The browser reads from 3 and writes to 4; a shell may know no numbers above 9 to move there.
LAUNCH = (
    "import fcntl, os, sys; pair = [fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3]]; "
    "os.dup2(pair[0], 3); os.dup2(pair[1], 4); os.execvp(sys.argv[3], sys.argv[3:])"
)

#: The least contrast of a text with what is behind it, and that text.
CONTRAST = """
(() => {
  const parts = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92
      : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      if (at.tagName === 'svg' && at.parentElement.tagName === 'svg') {
        return parts(getComputedStyle(at.querySelector('rect')).fill);
      }
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  let least = [99, ''];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, node = text.parentElement;
    if (!text.data.trim() || ['title', 'desc', 'STYLE'].includes(node.tagName)) continue;
    const style = getComputedStyle(node);
    const front = parts(node.tagName === 'text' ? style.fill : style.color);
    const [a, b] = [light(front), light(behind(node))].sort((p, q) => q - p);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least[0]) least = [ratio, node.tagName + '.' + node.className + ': ' + text.data];
  }
  return least;
})()
"""
#: What sticks out of the page sideways, but for what has a box to scroll in.
OVERFLOW = """
(() => {
  const wide = document.documentElement.clientWidth;
  const boxed = (node) => node.closest('.scroll') && !node.classList.contains('scroll');
  return [document.documentElement.scrollWidth > wide ? 'the page scrolls' : '',
    ...[...document.body.querySelectorAll('*')]
      .filter((node) => !boxed(node) && !node.closest('svg'))
      .filter((node) => node.getBoundingClientRect().right > wide + 0.5)
      .map((node) => node.tagName + '.' + node.className)].filter(Boolean).slice(0, 5);
})()
"""


def program():
    """Where the browser is, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """A running browser with one page; use it as a context manager."""

    def __enter__(self):
        # A profile is thousands of small files, which are gone with the browser.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - or the usual place
        self.profile = tempfile.mkdtemp(prefix="pcsf-chromium-", dir=memory)
        theirs_in, self.to = os.pipe()
        self.of, theirs_out = os.pipe()
        command = [program(), *FLAGS, f"--user-data-dir={self.profile}", "about:blank"]
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(theirs_in), str(theirs_out), *command],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.rest, self.last, self.events, self.session = b"", 0, [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.ask(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError, AssertionError):
            self.session = None
            self.ask("Browser.close")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE / 6)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.of)
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, **params):
        """The result of a command; what happens meanwhile is kept in ``events``."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self.last:
                assert "error" not in found, found
                return found["result"]
            self.events.append(found)

    def _next(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            ready = select.select([self.of], [], [], max(end - time.monotonic(), 0))[0]
            chunk = os.read(self.of, 1 << 16) if ready else b""
            assert chunk, "the browser does not answer"
            self.rest += chunk
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def open(self, path, *, width, height=900, scheme="light", media=""):
        """Show a file; gives the requests that left it and what it complained of."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", media=media, features=features)
        self.events.clear()
        self.ask("Page.navigate", url=Path(path).as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())
        self.evaluate("1")  # what was complained of before is here by now
        asked = [e["params"]["request"]["url"] for e in self._of("Network.requestWillBeSent")]
        said = [e["params"]["entry"]["text"] for e in self._of("Log.entryAdded")]
        said += [str(e["params"]) for e in self._of("Runtime.exceptionThrown")]
        said += [str(e["params"]) for e in self._of("Runtime.consoleAPICalled")]
        return asked, said

    def _of(self, method):
        return [event for event in self.events if event.get("method") == method]

    def evaluate(self, script):
        """The value of a script in the page."""
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def contrast(self):
        """The least contrast of a text of the page with its ground, and that text."""
        return self.evaluate(CONTRAST)

    def overflow(self):
        """What sticks out of the page sideways."""
        return self.evaluate(OVERFLOW)

    def picture(self, path, *, whole=True):
        """A picture of the page as a PNG."""
        import base64

        found = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(found["data"]))
