"""Chromium, driven over its debugging pipe: one process for all tests that look at a page.

Messages are those of the Chrome DevTools Protocol, each ended by a zero byte.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

from tests.patience import PATIENCE

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


class Browser:
    """A headless Chromium with one open page."""

    def __init__(self, profile: Path) -> None:
        read_theirs, self._to = os.pipe()
        self._from, write_theirs = os.pipe()
        # The browser takes commands from descriptor 3 and answers at 4; both are moved there by
        # the shell, so that nothing runs between fork and exec.
        command = (
            f"exec 3<&{read_theirs} 4>&{write_theirs}; "
            f'exec "$0" --headless --no-sandbox --disable-gpu --remote-debugging-pipe '
            '"--user-data-dir=$1" about:blank'
        )
        self._process = subprocess.Popen(
            ["bash", "-c", command, str(CHROMIUM), str(profile)],
            pass_fds=(read_theirs, write_theirs),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_theirs)
        os.close(write_theirs)
        self._left, self._count, self._session = b"", 0, ""
        self._events: list[dict] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def _message(self) -> dict:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._from], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self._from, 1 << 20) if ready else b""
            if not part:
                raise RuntimeError("Chromium says nothing")
            self._left += part
        text, _, self._left = self._left.partition(b"\0")
        return json.loads(text)

    def call(self, method: str, **params: object) -> dict:
        """Carry out a command of the protocol and return its answer."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self._to, left) :]
        while (message := self._message()).get("id") != self._count:
            self._events.append(message)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    def open(self, path: Path, *, width: int = 1280, height: int = 800, **looks: object) -> None:
        """Open a file in a window of a size.

        `dark`, `printed`: as the page is with these; `scripts=False`: without scripts.
        """
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = "dark" if looks.get("dark") else "light"
        self.call(
            "Emulation.setEmulatedMedia",
            media="print" if looks.get("printed") else "",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        self.call("Emulation.setScriptExecutionDisabled", value=looks.get("scripts") is False)
        self._events.clear()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self._events):
            self._events.append(self._message())

    def run(self, script: str) -> object:
        """Return what an expression of the page is; promises are waited for."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    @property
    def complaints(self) -> list[dict]:
        """What the console was told since the page was opened."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [event["params"] for event in self._events if event.get("method") in kinds]
