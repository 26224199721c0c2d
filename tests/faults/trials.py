"""What befalls a study, many times, and a table of how each ended.

`python -m tests.faults.trials [--write] [--few] [NAME…]` prints the table; `--write` puts it into
docs/explanation/reliability.md. Each trial ends in one way:

- same: status 0, and the numbers are those of an undisturbed study;
- refused: status 2, with one line for each thing that is wrong;
- wrong: status 0 with other numbers;
- lost: rows that were complete are gone, or are not played again;
- loud: a traceback, another status, or no end.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tomli_w

from tests.faults.mutants import tamper
from tests.patience import PATIENCE
from tests.programs import CARDLAB, ROOT, environment
from tests.studies.conftest import document

PAGE = ROOT / "docs" / "explanation" / "reliability.md"
BEGIN, END = "<!-- trials -->\n", "<!-- end of trials -->\n"
WAYS = ("same", "refused", "wrong", "lost", "loud")
ENVIRONMENT = environment()
POWERLESS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Begins a command for which the rights of files hold, though root runs it."""


def started(*words: object, before: tuple[str, ...] = (), **named: Any) -> subprocess.Popen[str]:
    """Start a command of cardlab."""
    return subprocess.Popen(
        [*before, sys.executable, *CARDLAB, *map(str, words)],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=named.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        **named,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for a command; return its status, and what it wrote."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return -1, "", "it did not end"
    return process.returncode, out or "", err


def cardlab(*words: object, **named: Any) -> tuple[int, str, str]:
    """Run a command of cardlab as a program."""
    return ended(started(*words, **named))


def inside(*words: object) -> tuple[int, str]:
    """Run a command of cardlab in this process; return its status, and what it wrote to stderr."""
    from studies.cli.app import run_app

    captured = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(captured):
        try:
            status = run_app(list(map(str, words)))
        except Exception as error:  # noqa: BLE001 (that is what is looked for)
            return 1, f"Traceback: {error!r}"
    return status, captured.getvalue()


def is_loud(status: int, err: str, allowed: tuple[int, ...] = (0, 2)) -> bool:
    """Tell whether a command ended otherwise than with 0, or with lines of its own and 2."""
    lines = err.splitlines()
    spoken = all(line.startswith("cardlab: ") for line in lines) and lines
    return status not in allowed or "Traceback" in err or (status == 2 and not spoken)


def numbers(directory: Path) -> list[Any] | None:
    """Return what `compare` estimates of a directory; None where it refuses it."""
    from simcore.errors import InputError
    from studies.operations.compare import compare

    try:
        return compare(str(directory)).frame.rows()
    except InputError:
        return None


def rows_of(directory: Path) -> dict[str, bytes]:
    """Return the parts of a study by name."""
    parts = sorted(directory.glob("[ms]*/cell=*/*.parquet"))  # of matches and of sums
    return {str(path.relative_to(directory)): path.read_bytes() for path in parts if path.is_file()}


class Place:
    """A folder with a study, which is played once undisturbed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.study = folder / "study.toml"
        self.study.write_text(tomli_w.dumps(document(block=20)))
        self.whole = folder / "whole"
        status, _, err = cardlab("run", self.study, "--out", self.whole)
        assert status == 0, err
        self.numbers = numbers(self.whole)
        self.rows = rows_of(self.whole)

    def copy(self, name: str) -> Path:
        """Return a copy of the study's directory."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        return Path(shutil.copytree(self.whole, self.folder / name, symlinks=True))

    def continued(self, directory: Path, first: str = "refused") -> str:
        """Run the study in a directory; return how that ended.

        Parameters
        ----------
        first : str
            How what came before ended, if all is well now.
        """
        status, err = inside("run", self.study, "--out", directory)
        if is_loud(status, err):
            return "loud"
        if status == 0 and (numbers(directory), rows_of(directory)) != (self.numbers, self.rows):
            return "lost"
        return first


Trial = Callable[[Place, int], Iterator[str]]


def damages(place: Place, count: int) -> Iterator[str]:
    """Bytes, values, files and names of a directory are changed; then it is read, and run again."""
    for seed in range(count):
        directory = place.copy("damaged")
        tamper(directory, random.Random(f"trial {seed}"))  # noqa: S311 (no secret)
        kept = rows_of(directory)
        status, err = inside("compare", directory, "--json")
        if is_loud(status, err):
            yield f"loud (damage {seed})"
            continue
        estimates = numbers(directory) if status == 0 else None
        if status == 0 and estimates != place.numbers:
            yield f"wrong (damage {seed})"
            continue
        end = place.continued(directory, "same" if status == 0 else "refused")
        kept_files = {*rows_of(directory).values(), *_set_aside(directory)}
        yield f"{end} (damage {seed})" if end in ("loud", "lost") else end
        if not kept_files >= set(kept.values()):
            yield f"lost (damage {seed})"


def _set_aside(directory: Path) -> set[bytes]:
    files = (path for path in (directory / "damaged").rglob("*") if path.is_file())
    return {path.read_bytes() for path in files}


def kills(place: Place, count: int) -> Iterator[str]:
    """A run is killed at any moment, as often as that; then it ends, as one that was not killed."""
    study, directory = place.folder / "long.toml", place.folder / "killed"
    long_run = document(matches=10**8, block=2000, lineups=[{"name": "one", "seats": ["random"]}])
    study.write_text(tomli_w.dumps(long_run))
    chance, before = random.SystemRandom(), {}
    for number in range(count):
        process = started("run", study, "--out", directory, stdout=subprocess.DEVNULL)
        late = number % 3 > 0  # while it plays and writes; else while it begins
        while late and len(rows_of(directory)) == len(before) and process.poll() is None:
            time.sleep(0.05)
        time.sleep(chance.uniform(0, 0.7 if late else 2))
        process.send_signal(signal.SIGKILL)
        ended(process)
        after = rows_of(directory)
        yield "same" if before.items() <= after.items() else "lost"
        before = after
    reached = 1 + max(int(Path(name).name.partition("-")[0]) for name in before)
    last = {**long_run, "matches": reached + 4000}
    study.write_text(tomli_w.dumps(last))
    statuses = [cardlab("run", study, "--out", to) for to in (directory, place.folder / "once")]
    if any(is_loud(status, err, (0,)) for status, _, err in statuses):
        yield "loud"
    elif rows_of(directory) != rows_of(place.folder / "once"):
        yield "lost"


def cluster(place: Place, count: int) -> Iterator[str]:
    """A worker, then the scheduler of a Dask cluster is killed during a run; it is run again."""
    for _ in range(count):
        for killed in ("worker", "scheduler"):
            yield _cluster(place, killed)


def _cluster(place: Place, killed: str) -> str:
    study = place.folder / "cluster.toml"
    study.write_text(tomli_w.dumps(document(matches=2_000, block=100)))
    once, directory = place.folder / "once-cluster", place.folder / f"cluster-{killed}"
    if not once.exists():
        cardlab("run", study, "--out", once)
    file = place.folder / f"{killed}.json"
    scheduler = _dask("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", file)
    while not file.exists():
        time.sleep(0.1)
    workers = [_dask("worker", "--scheduler-file", file, "--nthreads", "1") for _ in range(2)]
    address = json.loads(file.read_text())["address"]
    try:
        process = started("run", study, "--out", directory, "--scheduler", address)
        while not rows_of(directory) and process.poll() is None:
            time.sleep(0.05)
        (workers[0] if killed == "worker" else scheduler).kill()
        status, _, err = ended(process)
    finally:
        for part in (*workers, scheduler):
            part.kill()
            part.wait()
    kept = rows_of(directory)
    wanted = rows_of(once)
    if status not in (0, 2) or "Traceback" in err:
        return "loud"
    if not kept.items() <= wanted.items():
        return "wrong"
    if status == 2:
        cardlab("run", study, "--out", directory)
    if rows_of(directory) != wanted:
        return "lost"
    return "same" if status == 0 else "refused"


def _dask(kind: str, *words: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{kind}", *map(str, words)],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def full_disk(place: Place, count: int) -> Iterator[str]:
    """No room is left, at any size: on a small disk, by a limit on files, and behind stdout."""
    for size in range(count):
        yield _limited(place, 1000 * (1 + 3 * size))
    for words in (("compare", place.whole), ("games", "up"), ("compare", place.whole, "--csv")):
        with Path("/dev/full").open("w") as full:
            status, _, err = cardlab(*words, stdout=full)
        yield "loud" if status == 0 or is_loud(status, err, (1,)) else "refused"
    out = place.folder / "rows.csv"
    status, _, err = cardlab("simulate", "up", "--matches", "2000", "--out", out, **_at_most(9000))
    yield "loud" if is_loud(status, err) else "lost" if out.exists() else "refused"
    out = place.folder / "page.html"
    status, _, err = cardlab("report", place.whole, "--out", out, **_at_most(9000))
    yield "loud" if is_loud(status, err) else "lost" if out.exists() else "refused"
    disk = place.folder / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=60k", "none", disk], check=False
    ).returncode:
        return
    try:
        status, _, err = cardlab("run", place.study, "--out", disk / "out")
        moved = Path(shutil.copytree(disk / "out", place.folder / "moved"))
        is_prefix = rows_of(moved).items() <= place.rows.items()
        end = "loud" if is_loud(status, err) else "refused" if status and is_prefix else "wrong"
        yield place.continued(moved, end)
    finally:
        subprocess.run(["umount", disk], check=True)


def _at_most(size: int) -> dict[str, Any]:
    """Return how a command is started that can write files of that size only."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return {"preexec_fn": limit}


def _limited(place: Place, size: int) -> str:
    directory = place.folder / f"limited-{size}"
    status, _, err = cardlab("run", place.study, "--out", directory, **_at_most(size))
    if is_loud(status, err):
        return "loud"
    return place.continued(directory, "same" if status == 0 else "refused")


def two_writers(place: Place, count: int) -> Iterator[str]:
    """Two runs begin in one directory at the same moment."""
    for number in range(count):
        directory = place.folder / f"both-{number}"
        both = [started("run", place.study, "--out", directory) for _ in range(2)]
        ends = [ended(process) for process in both]
        loud = any(is_loud(status, err) for status, _, err in ends)
        if loud or all(status for status, _, _ in ends):
            yield "loud"
        else:
            first = "refused" if any(status for status, _, _ in ends) else "same"
            yield place.continued(directory, first)


JUMPING = """
import random, sys, time
from datetime import datetime
from studies.cli.app import main
from studies.store import provenance
real = time.time
chance = random.Random(int(sys.argv.pop(1)))
time.time = lambda: real() + chance.uniform(-1e9, 1e9)
time.time_ns = lambda: int(1e9 * time.time())
class Jumping(datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
provenance.datetime = Jumping
sys.exit(main())
"""


def clock(place: Place, count: int) -> Iterator[str]:
    """The clock jumps by up to thirty years at each look, while a run goes on and is continued."""
    for seed in range(count):
        directory = place.folder / f"clock-{seed}"
        for matches in ("30", "60"):
            words = ["run", place.study, "--out", directory, "--matches", matches]
            status, _, err = ended(
                subprocess.Popen(
                    [sys.executable, "-c", JUMPING, str(seed), *map(str, words)],
                    cwd=ROOT,
                    env=ENVIRONMENT,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            if is_loud(status, err, (0,)):
                yield "loud"
                break
        else:
            yield "same" if numbers(directory) == place.numbers else "wrong"


def rights(place: Place, count: int) -> Iterator[str]:
    """Directories and files that may not be read, or not be written to, under every command."""
    del count
    sealed = place.copy("sealed")
    doors: tuple[tuple[object, ...], ...] = (
        ("run", place.study, "--out", sealed, "--matches", "80"),
        ("run", place.study, "--out", sealed / "new"),
        ("compare", sealed),
        ("check", sealed),
        ("report", sealed, "--out", sealed / "page.html"),
        ("simulate", "up", "--matches", "5", "--out", sealed / "rows.csv"),
    )
    for mode in (0o500, 0o000):
        sealed.chmod(mode)
        for words in doors:
            status, out, err = cardlab(*words, before=POWERLESS)
            if is_loud(status, err):
                yield "loud"
            elif status == 0 and words[0] == "compare":
                wanted = cardlab("compare", place.whole)[1]
                yield "same" if out == wanted.replace("/whole", "/sealed") else "wrong"
            else:
                yield "same" if status == 0 else "refused"
        sealed.chmod(0o700)
        yield "same" if rows_of(sealed) == place.rows else "lost"
    study = place.folder / "unreadable.toml"
    shutil.copy(place.study, study)
    study.chmod(0)
    status, _, err = cardlab("run", study, before=POWERLESS)
    yield "loud" if is_loud(status, err) else "refused"


def large_files(place: Place, count: int) -> Iterator[str]:
    """Study files of 50 MB: a comment, a text, keys, a list; and 50 MB that are no TOML."""
    del count
    text, many = place.study.read_text(), 50_000_000
    for made in (
        f"# {'x' * many}\n{text}",
        text.replace('"A study"', f'"{"x" * many}"'),
        text + "[sweep]\n" + "".join(f'"greedy.x{k}" = [1]\n' for k in range(many // 20)),
        text + f"[sweep]\nplayers = [{'2, ' * (many // 3)}2]\n",
        "x" * many,
    ):
        study = place.folder / "large.toml"
        study.write_text(made)
        begun = time.monotonic()
        status, _, err = cardlab("run", study, "--out", place.folder / "large")
        late = time.monotonic() - begun > 60
        yield "loud" if late or is_loud(status, err) else "refused" if status else "same"
        shutil.rmtree(place.folder / "large", ignore_errors=True)


TRIALS: dict[str, tuple[Trial, int, int, str]] = {
    "damages": (damages, 200, 4, "a directory is damaged, read, and run again"),
    "kills": (kills, 30, 2, "a run is killed (SIGKILL) and goes on"),
    "cluster": (cluster, 1, 0, "a Dask worker, and the scheduler, is killed during a run"),
    "full_disk": (full_disk, 8, 1, "no room is left: disk, files, stdout"),
    "two_writers": (two_writers, 5, 1, "two runs begin in one directory at once"),
    "clock": (clock, 5, 1, "the clock jumps at each look"),
    "rights": (rights, 1, 1, "a directory may not be read, or not be written to"),
    "large_files": (large_files, 1, 1, "study files of 50 MB"),
}
"""By name: the trial, how often, how often with --few, and what it is."""


def tried(name: str, *, few: bool = False) -> Counter[str]:
    """Return how the trials of a name ended, by how often."""
    trial, many, little, _ = TRIALS[name]
    with tempfile.TemporaryDirectory() as folder:
        return Counter(trial(Place(Path(folder)), little if few else many))


def table(results: dict[str, Counter[str]]) -> str:
    """Return the table as Markdown."""
    lines = [f"| what happens | times | {' | '.join(WAYS)} |", f"|---|{'---:|' * 6}"]
    for name, ends in results.items():
        ways = [sum(n for end, n in ends.items() if end.startswith(outcome)) for outcome in WAYS]
        lines.append(f"| {TRIALS[name][3]} | {sum(ways)} | {' | '.join(map(str, ways))} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Try what is named, or all; print the table."""
    words = sys.argv[1:]
    names = [word for word in words if not word.startswith("--")] or list(TRIALS)
    results = {}
    for name in names:
        results[name] = tried(name, few="--few" in words)
        sys.stderr.write(f"{name}: {dict(results[name])}\n")
    sys.stdout.write(table(results))
    if "--write" in words:
        text = PAGE.read_text("utf-8")
        inside = f"{BEGIN}{table(results)}{END}"
        PAGE.write_text(
            re.sub(f"{BEGIN}.*?{END}", lambda _: inside, text, flags=re.DOTALL), "utf-8"
        )


if __name__ == "__main__":
    main()
