"""The client for Python beside a server that says what a test tells it to, and is cut off, silent or wrong."""

import contextlib
import io
import os
import random
import re
import socket
import sys
import threading
import unittest
import unittest.mock

from streams import CONTENTS, ROOT, recorded

sys.path.insert(0, os.path.join(ROOT, "Clients", "python"))

import sectile_feed  # noqa: E402
from sectile_feed import FeedClient, FeedRefused, UnknownFormat  # noqa: E402

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
SEED = int(os.environ.get("SECTILE_SEED", "0") or 0) or random.randrange(1, 10**6)
WAIT = 20


def events(name):
    """A stream, cut behind each event."""
    parts = recorded(name).replace(b"retry: 2000", b"retry: 1").split(b"\n\n")
    return [part + b"\n\n" for part in parts[:-1]]


def answer(status, kind="application/json", body=b"", *headers):
    lines = [f"HTTP/1.1 {status} Said", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


class Server:
    """Answers each connection with the next of its scripts: bytes that are chunks, and functions that are called."""

    def __init__(self, *scripts):
        self.scripts = list(scripts)
        self.requests = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/api/events?table=job&items=1"
        # What is held open until the end.
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        for script in self.scripts:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = connection.recv(65536)
                    if not piece:
                        break  # The client has gone.
                    head += piece
                lines = head.decode().split("\r\n")
                self.requests.append({"": lines[0], **dict(line.lower().split(": ", 1) for line in lines[1:] if line)})
                # An id tells capital letters from small ones.
                self.requests[-1]["position"] = next((line.split(": ", 1)[1] for line in lines if line.startswith("Last-Event-ID")), "")
                try:
                    for step in script:
                        if callable(step):
                            step()
                        elif step.startswith(b"HTTP"):
                            connection.sendall(step)
                        else:
                            connection.sendall(b"%x\r\n%s\r\n" % (len(step), step))
                except OSError:
                    pass  # The client has gone.

    def hold(self):
        self.ended.wait(WAIT)

    def stop(self):
        self.ended.set()
        with contextlib.suppress(OSError):
            # Wakes a thread that waits for a connection.
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(WAIT)


class ClientTests(unittest.TestCase):
    """With the standard library."""

    def client(self, server, **options):
        options.setdefault("wait", 0.001)
        options.setdefault("longest_wait", 0.001)
        self.states = []
        client = FeedClient(server.url, on_state=lambda client: self.states.append(client.state), **options)
        # A client whose server has nothing more to say would try for ever: it fails instead.
        limit = threading.Timer(2 * WAIT, client.close)
        limit.daemon = True
        limit.start()
        self.addCleanup(limit.cancel)
        return client

    def serve(self, *scripts):
        server = Server(*scripts)
        self.addCleanup(server.stop)
        return server

    def follow(self, client, until):
        """What is told up to a version."""
        told = []
        for change in client:
            told.append((change.kind, change.contents.version if change.contents else None, client.state))
            if change.kind != "failed" and change.contents and change.contents.version == until:
                client.close()
        return told

    def test_it_follows_a_feed(self):
        server = self.serve([OK, *events("changes"), lambda: server.hold()])
        client = self.client(server, headers={"Authorization": "Bearer x"})
        self.assertEqual(client.state, "connecting")
        told = self.follow(client, 10)
        self.assertEqual([kind for kind, _, _ in told], [kind for kind, _ in CONTENTS["changes"]])
        self.assertEqual([state for _, _, state in told], ["live", "live", "live", "stale", "live", "live"])
        self.assertEqual(self.states, ["live", "stale", "live", "ended"])
        self.assertEqual(server.requests[0][""], "GET /api/events?table=job&items=1 HTTP/1.1")
        self.assertEqual(server.requests[0]["accept"], "text/event-stream")
        self.assertEqual(server.requests[0]["authorization"], "bearer x")
        self.assertEqual(server.requests[0]["position"], "")
        self.assertEqual(list(client), [])

    def test_it_goes_on_where_it_was(self):
        """It is cut off behind any event, and in the middle of it; a reset that is cut begins anew."""
        r = random.Random(SEED)
        parts = events("changes")
        whole = parts[:5]
        for cut in range(5, len(parts)):
            stray = parts[cut][:r.randrange(len(parts[cut]))]
            first = [OK, *parts[:cut]] + [stray] * bool(stray)
            server = self.serve([OK, *parts[:2]], [OK, *whole[:4]], first, [OK, *parts[cut:], lambda: server.hold()])
            client = self.client(server)
            told = self.follow(client, 10)
            kinds = [kind for kind, _ in CONTENTS["changes"]]
            if cut == 8:
                # The failure was told; whether it lasts is told anew.
                kinds = kinds[:4] + ["recovered"] + kinds[4:]
            self.assertEqual([kind for kind, _, _ in told], kinds, f"seed {SEED}, cut at {cut}")
            ids = [part.split(b"id: ")[1].split(b"\n")[0].decode() for part in parts[:cut] if b"id: " in part]
            self.assertEqual([each["position"] for each in server.requests], ["", "", "", ids[-1]])
            self.assertEqual(self.states[:2], ["live", "stale"])
            self.assertEqual((client.misfits, self.states[-1]), (0, "ended"))

    def test_it_comes_back_after_a_restart_and_when_it_was_too_slow(self):
        for name, cut, until in [("keyed", 4, 5), ("slow", 4, 4)]:
            parts = events(name)
            server = self.serve([OK, *parts[:cut]], [OK, *parts[cut:], lambda: server.hold()])
            client = self.client(server)
            told = self.follow(client, until)
            self.assertEqual([kind for kind, _, _ in told], [kind for kind, _ in CONTENTS[name]])
            self.assertTrue(server.requests[1]["position"])
            self.assertIn("stale", self.states)

    def test_silence_is_the_end_of_a_connection(self):
        """Three heartbeats that are missed; as long as they come nothing is wrong."""
        server = Server([OK, *events("keyed")[:4], lambda: server.hold()], [OK, *events("keyed")[4:], lambda: server.hold()])
        self.addCleanup(server.stop)
        client = self.client(server, heartbeat=0.4)
        # It serves one after the other: the silent one is let go when the client has gone.
        client._on_state = lambda client: server.ended.set() if client.state == "stale" else None
        told = self.follow(client, 5)
        self.assertEqual([kind for kind, _, _ in told], ["reset", "keyed", "changes"])
        self.assertIsInstance(client.last_error, OSError)

    def test_the_server_says_how_often_it_is_heard_of(self):
        stream = b'event: stream\ndata: {"format":2,"stream":"s","view":"0","heartbeat":7,"source":null}\n\n'
        beat = b'event: heartbeat\ndata: {"format":2}\n\n'
        server = self.serve([OK, stream, beat, *events("slow")[:3], lambda: server.hold()])
        client = self.client(server)
        self.follow(client, 1)
        self.assertEqual(client._silence, 21)

    def test_what_does_not_fit_is_asked_for_anew(self):
        parts = events("changes")
        server = self.serve([OK, *parts[:5], parts[6]], [OK, *parts, lambda: server.hold()])
        client = self.client(server)
        told = self.follow(client, 10)
        self.assertEqual([kind for kind, _, _ in told], ["reset"] + [kind for kind, _ in CONTENTS["changes"]])
        self.assertEqual([each["position"] for each in server.requests], ["", ""])
        self.assertEqual(client.misfits, 1)

    def test_other_formats_are_refused_by_name(self):
        for event in [events("changes")[0], b'event: stream\ndata: {"format":2,"stream":"s"}\n\n']:
            server = self.serve([OK, event.replace(b'"format":2', b'"format":3'), lambda: server.hold()])
            client = self.client(server)
            with self.assertRaisesRegex(UnknownFormat, "the feed is in format 3; this client reads 1 and 2"):
                list(client)
            self.assertEqual((client.state, client.contents), ("ended", None))
            server.ended.set()

    def test_refusals(self):
        body = b'{"format":2,"code":"unauthorized","message":"There is no session.","hint":"Open the address."}'
        for status, kind, said in [(401, "application/json", body), (404, "text/html", b"<p>"), (204, "text/event-stream", b""),
                                   (302, "text/html", b""), (200, "text/html; charset=utf-8", b"<p>")]:
            server = self.serve([answer(status, kind, said)])
            client = self.client(server)
            with self.assertRaises(FeedRefused) as raised:
                list(client)
            self.assertEqual((raised.exception.status, client.state), (status, "ended"))
            if status == 401:
                self.assertEqual((raised.exception.code, str(raised.exception)), ("unauthorized", "There is no session."))

    def test_refused_in_the_middle(self):
        """A server that does not allow a client any more says so; the client does not come back."""
        server = self.serve([OK, *events("answer"), lambda: server.hold()])
        client = self.client(server)
        with self.assertRaises(FeedRefused) as raised:
            list(client)
        self.assertEqual((raised.exception.code, raised.exception.status), ("refused", 403))
        self.assertEqual((client.state, client.contents.version, len(server.requests)), ("ended", 0, 1))
        server.ended.set()

    def test_what_passes_is_waited_for(self):
        server = self.serve([answer(503)], [answer(429, "text/plain", b"", "Retry-After: 0")], [], [b"HTTP/1.1 nonsense\r\n\r\n"],
                            [OK, *events("slow")[:3], lambda: server.hold()])
        client = self.client(server)
        self.assertEqual(self.follow(client, 1), [("reset", 0, "live"), ("changes", 1, "live")])
        self.assertEqual(self.states, ["live", "ended"])
        self.assertEqual(len(server.requests), 5)

    def test_who_leaves_may_come_back(self):
        parts = events("changes")
        server = self.serve([OK, *parts[:6]], [OK, *parts[6:], lambda: server.hold()])
        client = self.client(server)
        for change in client:
            if change.kind == "changes":
                break
        self.assertEqual((client.state, change.contents.version), ("stale", 8))
        self.assertEqual([kind for kind, _, _ in self.follow(client, 10)], [kind for kind, _ in CONTENTS["changes"]][2:])

    def test_the_example(self):
        """That of Documentation/Feed.md, as it stands there."""
        with open(os.path.join(ROOT, "Documentation", "Feed.md"), encoding="utf-8") as file:
            code, = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        server = self.serve([OK, *events("slow")[:3]], [answer(404)])
        code, count = re.subn(r"http://127.0.0.1:8420/[^\"]*", server.url, code)
        self.assertEqual(count, 1)
        with contextlib.redirect_stdout(io.StringIO()) as output, self.assertRaises(FeedRefused):
            exec(code, {})
        item = {"label": "row 1", "value": 1, "total": 0, "factor": 1.0, "isOpen": False}
        self.assertEqual(output.getvalue().splitlines(), [
            "reset live joined", "changes live ", f"R+ Path(section=0, item=0) 1 {item}", "A 1"])

    def test_it_is_closed_by_another_thread(self):
        """While it reads, and while it waits."""
        server = self.serve([OK, *events("slow")[:3], lambda: server.hold()])
        client = self.client(server)
        closer = None
        for change in client:
            if change.contents.version == 1:
                closer = threading.Timer(0.05, self.end(client, server))
                closer.start()
        self.assertEqual(client.state, "ended")
        closer.join()
        server = self.serve([answer(503, "text/plain", b"", "Retry-After: 100")])
        client = self.client(server)
        threading.Timer(0.05, client.close).start()
        self.assertEqual(list(client), [])
        self.assertEqual(client.state, "ended")

    def end(self, client, server):
        return client.close

    def test_it_is_closed_while_nobody_answers(self):
        let_go = []
        server = self.serve([lambda: client.close(), lambda: self.let_go(server), lambda: server.hold(), lambda: let_go.append(1)])
        client = self.client(server)
        self.assertEqual(list(client), [])
        self.assertEqual((client.state, let_go), ("ended", []))

    def let_go(self, server):
        """What wakes a client that cannot be woken by another thread."""

    def test_an_iteration_that_is_held_does_not_keep_it_alive(self):
        server = self.serve([OK, *events("slow")[:3], lambda: server.hold()])
        client = self.client(server)
        iteration = iter(client)
        next(iteration)
        self.assertEqual(client.state, "live")
        client.close()
        self.assertEqual((client.state, self.states), ("ended", ["live", "ended"]))
        server.ended.set()
        self.assertEqual(list(iteration), [])

    def test_it_is_not_live_before_the_server_is_heard_of(self):
        """A proxy answers for a server that is gone, again and again."""
        parts = events("slow")
        server = self.serve([OK, *parts[:3]], [OK], [OK], [OK, b":\n", *parts[4:], lambda: server.hold()])
        client = self.client(server)
        self.follow(client, 4)
        self.assertEqual(len(server.requests), 4)
        self.assertEqual(self.states, ["live", "stale", "live", "ended"])

    def test_it_is_not_live_where_nothing_was_read_for_long(self):
        """The machine has slept, or whoever iterates takes a change slowly."""
        server = self.serve([OK, *events("slow")[:3], lambda: server.hold()])
        client = self.client(server)
        for change in client:
            self.assertEqual(client.state, "live")
            for later, state in [(44, "live"), (46, "stale")]:
                with unittest.mock.patch("sectile_feed._elapsed", lambda now=sectile_feed._elapsed(): now + later):
                    self.assertEqual(client.state, state)
            if change.contents.version == 1:
                client.close()

    def test_a_server_that_breaks_after_each_event_is_left_alone_for_longer(self):
        """As long as no connection was live for a heartbeat."""
        stream = b'event: stream\ndata: {"format":2,"stream":"s","view":"0","heartbeat":15,"source":null}\n\n'
        parts = events("slow")[:3]
        server = self.serve(*[[OK, stream, *parts]] * 5, [OK, stream, parts[0], lambda: client.close()])
        client = self.client(server)
        list(client)
        self.assertEqual(client._attempts, 5)
        client = self.client(self.serve([OK, stream, *parts], [answer(404)]))
        client._attempts = 5
        clock = sectile_feed._elapsed
        with self.assertRaises(FeedRefused):
            for change in client:
                if change.kind == "changes":
                    sectile_feed._elapsed = lambda: clock() + 20
                    self.addCleanup(setattr, sectile_feed, "_elapsed", clock)
        self.assertEqual(client._attempts, 1)


class WaitTests(unittest.TestCase):
    def test_waits_grow_and_differ(self):
        client = FeedClient("http://localhost/", wait=0.5, longest_wait=10)
        waits = [client._next_wait(0) for _ in range(40)]
        for attempt, wait in enumerate(waits):
            least = min(10, 0.5 * 2 ** attempt)
            self.assertTrue(least <= wait <= 1.5 * least, waits)
        self.assertGreater(len(set(waits[10:])), 10)
        self.assertTrue(100 <= client._next_wait(100) <= 150)

    def test_waits_grow_from_nothing(self):
        client = FeedClient("http://localhost/", wait=0, longest_wait=10)
        waits = [client._next_wait(0) for _ in range(20)]
        self.assertTrue(all(wait > 0 for wait in waits) and waits[-1] >= 10, waits)

    def test_no_address(self):
        for url in ["ftp://localhost/", "/api/events", "http:///x"]:
            with self.assertRaises(ValueError):
                list(FeedClient(url))


try:
    import httpx
except ImportError:
    httpx = None


@unittest.skipUnless(httpx, "httpx is not here")
class HTTPXTests(ClientTests):
    """With a client of httpx."""

    def client(self, server, **options):
        client = httpx.Client()
        self.addCleanup(client.close)
        return super().client(server, client=client, **options)

    def end(self, client, server):
        # It takes effect when the server is heard of.
        def close():
            client.close()
            server.ended.set()
        return close

    def let_go(self, server):
        raise OSError("the connection ends")


if __name__ == "__main__":
    unittest.main()
