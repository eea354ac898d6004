"""A bad network between clients and a service: stalls, swallows, half-closes, buffers, resets, refuses.

A connection is told by the name of its client, which is in the address (`client=NAME`) or in the header `X-Client`.
"""

import asyncio
import contextlib
import re
import socket
import struct
import time

HEAD_LIMIT = 65536
PIECE = 65536


class Connection:
    def __init__(self, client, is_stream):
        self.client, self.is_stream = client, is_stream
        self.began, self.ended = time.monotonic(), None
        # What is done with it: empty for nothing.
        self.fault = ""
        # Set while bytes pass.
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.writers = []

    def turn(self, fault):
        self.fault = fault
        if fault in ("stall", "buffer"):
            self.is_open.clear()
        else:
            self.is_open.set()

    def reset(self):
        """Ends both sides by RST, as a router does that has forgotten it."""
        for writer in self.writers:
            end_at_once(writer)

    def half_close(self, side):
        """Says the end to one side; the other hears nothing of it."""
        if len(self.writers) < 2:
            return
        self.turn("half-close")
        with contextlib.suppress(OSError, RuntimeError):
            self.writers[side].write_eof()


def end_at_once(writer):
    with contextlib.suppress(OSError, AttributeError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class Proxy:
    """Listens at `port`; `upstream` is the port of the service, and may be another one at any time."""

    def __init__(self, random, upstream=0):
        self.random, self.upstream = random, upstream
        self.port = 0
        # All there were, and those that are open.
        self.streams = []
        self.open = set()
        # What is done with a share of new connections.
        self.arriving = ("", 0.0)
        self.counts = {}

    async def start(self):
        self.server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=HEAD_LIMIT, backlog=4096)
        self.port = self.server.sockets[0].getsockname()[1]

    async def stop(self):
        self.server.close()
        for connection in list(self.open):
            connection.reset()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.server.wait_closed(), 5)

    async def fault(self, kind, share, seconds, arrivals=True):
        """Does something to a share of the connections, and of those that come, for a while.

        What was stalled or held back goes on then. What was swallowed stays silent for good, if it is a stream; a
        request whose answer is awaited without a limit is reset.
        """
        chosen = [each for each in list(self.open) if self.random.random() < share]
        self.counts[kind] = self.counts.get(kind, 0) + len(chosen)
        self.arriving = (kind, share) if arrivals and kind in ("stall", "swallow", "refuse") else ("", 0.0)
        for each in chosen:
            if kind in ("reset", "refuse"):
                each.reset()
            elif kind == "half-close":
                each.half_close(self.random.randrange(2))
            else:
                each.turn(kind)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.arriving = ("", 0.0)
            for each in list(self.open):
                if each.fault in ("stall", "buffer"):
                    each.turn("")
                elif each.fault == "swallow" and not each.is_stream:
                    each.reset()

    # MARK: Connections

    async def _accept(self, reader, writer):
        connection = None
        upstream = None
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
            line, _, fields = head.partition(b"\r\n")
            found = re.search(rb"[?&]client=([A-Za-z0-9-]{1,64})", line) or re.search(
                rb"(?i)^x-client: *([A-Za-z0-9-]{1,64})\r?$", fields, re.MULTILINE)
            is_stream = re.search(rb"(?i)^accept: *text/event-stream", fields, re.MULTILINE) is not None
            connection = Connection(found.group(1).decode() if found else "", is_stream)
            connection.writers.append(writer)
            kind, share = self.arriving
            is_chosen = kind and self.random.random() < share
            if is_stream:
                self.streams.append(connection)
            self.open.add(connection)
            if is_chosen and kind == "refuse":
                self.counts[kind] = self.counts.get(kind, 0) + 1
                return connection.reset()
            if is_chosen:
                self.counts[kind] = self.counts.get(kind, 0) + 1
                connection.turn(kind)
            if connection.fault == "swallow":
                # Accepted, and never answered.
                while await reader.read(PIECE):
                    pass
                return
            await connection.is_open.wait()
            try:
                up_reader, upstream = await asyncio.open_connection("127.0.0.1", self.upstream, limit=PIECE)
            except OSError:
                return connection.reset()
            connection.writers.append(upstream)
            upstream.write(head)
            await self._pump_both(connection, (reader, writer), (up_reader, upstream))
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.TimeoutError):
            pass  # Either side has gone.
        finally:
            if connection:
                connection.ended = time.monotonic()
                self.open.discard(connection)
            for each in (writer, upstream):
                if each:
                    each.close()

    async def _pump_both(self, connection, client, service):
        up = asyncio.ensure_future(self._pump(connection, client[0], service[1]))
        down = asyncio.ensure_future(self._pump(connection, service[0], client[1]))
        try:
            done, _ = await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
            # Whatever the service does behind a half-closed connection, its client hears nothing of it.
            if up not in done and connection.fault in ("half-close", "swallow"):
                await up
        finally:
            for each in (up, down):
                each.cancel()
            await asyncio.gather(up, down, return_exceptions=True)

    async def _pump(self, connection, reader, writer):
        """Hands bytes on until the end of one side."""
        while True:
            if connection.fault == "stall":
                # Nothing is read: the sender feels it.
                await connection.is_open.wait()
            piece = await reader.read(PIECE)
            if not piece:
                return
            while connection.fault in ("stall", "buffer"):
                # What is held back is handed on later, all at once.
                if connection.fault == "buffer" and len(piece) < 16 << 20:
                    piece += await self._held(connection, reader)
                else:
                    await connection.is_open.wait()
            if connection.fault in ("swallow", "half-close"):
                continue
            writer.write(piece)
            await writer.drain()

    @staticmethod
    async def _held(connection, reader):
        """What comes until bytes pass again; empty where they do."""
        read = asyncio.ensure_future(reader.read(PIECE))
        opened = asyncio.ensure_future(connection.is_open.wait())
        try:
            await asyncio.wait({read, opened}, return_when=asyncio.FIRST_COMPLETED)
            if read.done():
                piece = read.result()
                if not piece:
                    # The end is held back as well; reading on finds it again.
                    await connection.is_open.wait()
                return piece
            return b""
        finally:
            for each in (read, opened):
                each.cancel()
            await asyncio.gather(read, opened, return_exceptions=True)

    # MARK: What was counted

    def too_fast(self, retry, longest, heartbeat, allowed):
        """Clients that connected faster than their waits allow: a line for each.

        The wait after the *n*-th failure in a row is at least half of `retry` times 2^(n-1), up to half of `longest`; a
        connection that lasted for about a heartbeat ends the row. The times are those from one beginning to the next,
        which are longer than the wait.
        """
        by_client = {}
        for each in self.streams:
            by_client.setdefault(each.client, []).append(each)
        lines = []
        for client, streams in sorted(by_client.items()):
            row, early = 0, 0
            grows = not client.startswith("node")
            for one, other in zip(streams, streams[1:]):
                lasted = (one.ended or other.began) - one.began
                # Whoever hears nothing for three heartbeats may come back at once.
                if lasted >= heartbeat / 2:
                    row = 0
                    if not grows:
                        continue
                row = row + 1 if grows else 1
                wait = min(longest, retry * 2 ** min(row - 1, 20)) / 2
                # Two connections that come at once may be accepted in any order.
                early += other.began - one.began < wait * 0.8 - 0.05
            # One or two may be the machine's, which was busy; a loop is many.
            if early > allowed.get(client, 0) + 2:
                lines.append(f"{client} came back too early {early} times, of {len(streams)} connections")
        return lines
