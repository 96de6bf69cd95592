"""A private PostgreSQL server in a temporary folder, for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path


def binaries() -> Path | None:
    """The folder of `initdb` and `postgres`; None if they are not installed."""
    found = [path for path in (shutil.which("initdb"),) if path]
    found += map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True))
    for name in found:
        folder = Path(name).resolve().parent
        if (folder / "postgres").exists():
            return folder
    return None


def _other_user() -> dict[str, object]:
    """Whom to run as: `initdb` refuses root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


@contextmanager
def server():
    """Run a server on a socket of its own; yield the URL of its first database."""
    folder = binaries()
    if folder is None:
        raise FileNotFoundError("no PostgreSQL binaries")
    home = Path(tempfile.mkdtemp(prefix="pg"))
    user = _other_user()
    if user:
        os.chown(home, user["user"], user["group"])
    common = {"cwd": home, "stdout": subprocess.DEVNULL, **user}
    common["env"] = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(home)}
    data = home / "data"
    process = None
    try:
        made = [
            folder / "initdb",
            "-D",
            data,
            "-U",
            "cso",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run(made, check=True, stderr=subprocess.DEVNULL, **common)
        with (home / "log").open("wb") as log:
            start = [folder / "postgres", "-D", data, "-k", home, "-c", "listen_addresses="]
            process = subprocess.Popen([*start, "-F"], stderr=log, **common)
        deadline = time.monotonic() + 30
        while not (home / ".s.PGSQL.5432").exists() or not _answers(home):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((home / "log").read_text())
            time.sleep(0.05)
        yield f"postgresql+psycopg://cso@/postgres?host={home}"
    finally:
        if process is not None:
            # The fast way: it waits for no client.
            process.send_signal(signal.SIGINT)
            process.wait(30)
        shutil.rmtree(home, ignore_errors=True)


def _answers(home: Path) -> bool:
    import psycopg

    try:
        psycopg.connect(host=str(home), user="cso", dbname="postgres").close()
    except psycopg.OperationalError:
        return False
    return True


def fresh_database(url: str, name: str) -> str:
    """Make an empty database on the server of `url`; give its URL."""
    import psycopg

    host = url.split("host=")[1]
    with psycopg.connect(host=host, user="cso", dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.replace("/postgres?", f"/{name}?")
