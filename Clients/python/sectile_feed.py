"""A client of Sectile's feeds: a live list that follows what a server tells, change by change.

    from sectile_feed import FeedClient

    with FeedClient("http://127.0.0.1:8420/api/events?table=job&items=1") as feed:
        for change in feed:
            print(change.kind, feed.state, feed.contents.version, feed.contents.count)

One file, Python 3.9 or later, and nothing but the standard library. A program that has httpx may
pass one of its clients: `FeedClient(url, client=httpx.Client())`.

Iterating follows the feed until `close()` is called, or the server refuses it. A connection that is
lost, or silent for three heartbeats, is made anew with the last position (`Last-Event-ID`). What
the client has is kept meanwhile, and `state` says that it may be out of date.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple
from urllib.parse import urlsplit

__all__ = [
    "Change", "Contents", "EventParser", "FeedClient", "FeedError", "FeedRefused", "FeedState",
    "Folder", "Header", "KNOWN_FORMATS", "Message", "Misfit", "Path", "Row", "RowChange", "Section",
    "SectionChange", "UnknownFormat", "decoded", "key_of",
]

#: The versions of the format that this client reads.
KNOWN_FORMATS = (1, 2)

#: More bytes than one event may have.
LONGEST_EVENT = 256 * 1024 * 1024


# MARK: Errors

class FeedError(Exception):
    """Why a feed cannot be followed."""


class UnknownFormat(FeedError):
    """The server writes a version of the format that this client does not read."""

    def __init__(self, format: Any) -> None:
        known = " and ".join(str(each) for each in KNOWN_FORMATS)
        super().__init__(f"the feed is in format {format!r}; this client reads {known}. Use a later client.")
        self.format = format


class FeedRefused(FeedError):
    """The server refuses the feed, and would do so again."""

    def __init__(self, message: str, status: int, code: str = "unknown", hint: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.hint = hint


class Misfit(FeedError):
    """An event does not fit what the client has: it begins anew. Nobody but a `Folder` raises it."""


# MARK: Values

def decoded(value: Any, format: int = 2) -> Any:
    """Returns a value of JSON without tags: integers, floats and bytes as what they are.

    Text that is not UTF-8 is a `str` with surrogates, whose bytes are those of
    `text.encode("utf-8", "surrogateescape")`. What only looks like a tag stays as it is.
    """
    if isinstance(value, list):
        return [decoded(each, format) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (tag, text), = value.items()
        if format == 1 and tag in ("blob", "real"):
            tag = "$" + tag
        if tag in _TAGS and isinstance(text, str):
            try:
                return _TAGS[tag](text)
            except ValueError:
                return value
    return {name: decoded(each, format) for name, each in value.items()}


def _integer(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]+", text):
        raise ValueError(text)
    return int(text)


def _bytes(text: str) -> bytes:
    if not re.fullmatch(r"([0-9A-Fa-f]{2})*", text):
        raise ValueError(text)
    return bytes.fromhex(text)


_TAGS: Dict[str, Callable[[str], Any]] = {
    "$integer": _integer,
    "$real": float,
    "$blob": _bytes,
    "$text": lambda text: _bytes(text).decode("utf-8", "surrogateescape"),
}


def key_of(value: Any) -> Any:
    """Returns what is equal, and has the same hash, for equal identities: 1 and 1.0, but not True."""
    if value is None or isinstance(value, bool):
        return ("constant", repr(value))
    if isinstance(value, (int, float)):
        return ("number", "nan" if value != value else value)
    if isinstance(value, list):
        return ("list", tuple(key_of(each) for each in value))
    if isinstance(value, dict):
        return ("object", frozenset((name, key_of(each)) for name, each in value.items()))
    return (type(value).__name__, value)


# MARK: Contents

@dataclass(frozen=True, order=True)
class Path:
    """Where a row is: the ordinal of its section, and its offset there."""

    section: int
    item: int


@dataclass(frozen=True)
class Header:
    """What a section is, and what a reader sees of it."""

    identity: Any
    title: str
    index_title: Optional[str] = None
    footer: Optional[str] = None
    aggregates: Dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A row: its identity and its item; None as the item in a shape without items."""

    id: Any
    item: Any = None


@dataclass(frozen=True)
class Section:
    """A section and its rows. In a shape without items, rows that were not told of are None."""

    header: Header
    rows: Tuple[Optional[Row], ...] = ()

    @property
    def count(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Contents:
    """A version of the list. It is never changed: a change makes another one, which shares rows."""

    version: int
    sections: Tuple[Section, ...] = ()
    aggregates: Dict[str, Any] = field(default_factory=dict)
    #: Whether it consists of sections with their counts: a shape without items.
    is_structural: bool = False

    @property
    def count(self) -> int:
        """How many rows there are."""
        return sum(section.count for section in self.sections)

    @property
    def rows(self) -> List[Optional[Row]]:
        """The rows of all sections, in order."""
        return [row for section in self.sections for row in section.rows]

    def row(self, path: Path) -> Optional[Row]:
        """The row at a path; None where it was not told of."""
        return self.sections[path.section].rows[path.item]


# MARK: Changes

@dataclass(frozen=True)
class SectionChange:
    """A section that is new, gone, elsewhere or titled anew: its ordinals before and after, where there are such."""

    source: Optional[int]
    target: Optional[int]
    header: Header
    #: The header before, where it was another one.
    before: Optional[Header] = None


@dataclass(frozen=True)
class RowChange:
    """A row that is new, gone, elsewhere or changed: its paths before and after, where these are told."""

    source: Optional[Path]
    target: Optional[Path]
    id: Any
    item: Any = None
    content_changed: bool = True


@dataclass(frozen=True)
class Change:
    """What happened.

    `kind` is "reset" (the contents were given anew, and are whole), "changes", "keyed" (what became
    of rows while the client was away), "failed" (the source cannot be read: the list may be out of
    date) or "recovered". Sources are paths before, targets are paths after the change.
    """

    kind: str
    #: The contents after it; None where there were none yet.
    contents: Optional[Contents] = None
    #: Why the contents were given anew.
    reason: str = ""
    #: What the source failed with, and the server's sentence about it, where there is one.
    code: str = ""
    message: str = ""
    deletes: List[RowChange] = field(default_factory=list)
    inserts: List[RowChange] = field(default_factory=list)
    moves: List[RowChange] = field(default_factory=list)
    updates: List[RowChange] = field(default_factory=list)
    #: Rows that exist, and may be new, changed or what they were: of "keyed" alone.
    upserts: List[RowChange] = field(default_factory=list)
    section_deletes: List[SectionChange] = field(default_factory=list)
    section_inserts: List[SectionChange] = field(default_factory=list)
    section_moves: List[SectionChange] = field(default_factory=list)
    section_updates: List[SectionChange] = field(default_factory=list)


class Folder:
    """Makes contents of events, without a connection.

    >>> folder = Folder()
    >>> for message in messages: change = folder.take(message.event, message.data)
    >>> folder.contents

    An event that does not fit is a `Misfit`, and leaves the contents as they were.
    """

    def __init__(self) -> None:
        #: The contents that are whole; None before there are any.
        self.contents: Optional[Contents] = None
        #: Whether the source cannot be read.
        self.is_failing = False
        self._head: Optional[Dict[str, Any]] = None
        self._arriving: List[Tuple[Header, List[Optional[Row]]]] = []
        self._arrived = 0
        self._is_structural = False

    @property
    def is_arriving(self) -> bool:
        """Whether a reset is under way."""
        return self._head is not None

    def forget_arriving(self) -> None:
        """Drops the part of a reset that has come: the connection was lost in the middle of it."""
        self._head = None
        self._arriving = []
        self._arrived = 0

    def take(self, event: str, data: str) -> Optional[Change]:
        """Takes in an event; returns what is to be told of it, if anything.

        Raises `UnknownFormat` for a version of the format that is not known, and `Misfit`.
        """
        take: Optional[Callable[[Dict[str, Any], int], Optional[Change]]] = (
            getattr(self, f"_take_{event}") if event in _KINDS else None)
        if take is None:
            return None  # More kinds may come.
        try:
            body = json.loads(data, parse_constant=_refuse)
            if not isinstance(body, dict):
                raise ValueError("no object")
        except (ValueError, RecursionError) as error:
            raise Misfit(f"the data of '{event}' is no JSON of an object") from error
        format = body.get("format")
        if format not in KNOWN_FORMATS or isinstance(format, bool):
            raise UnknownFormat(format)
        try:
            return take(body, format)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
            raise Misfit(f"'{event}' has not the form that it should have") from error

    # A reset: its head, parts, and end.

    def _take_reset(self, body: Dict[str, Any], format: int) -> None:
        self._head = {
            "version": _number(body["version"]), "sections": _number(body["sections"]), "rows": _number(body["rows"]),
            "reason": _text(body["reason"]), "aggregates": decoded(body.get("aggregates", {}), format)
        }
        self._arriving = []
        self._arrived = 0
        self._is_structural = False

    def _take_rows(self, body: Dict[str, Any], format: int) -> None:
        self._require_part(body)
        for part in body["sections"]:
            if "header" in part:
                self._arriving.append((_header(part["header"], format), []))
            _require(part["section"] == len(self._arriving) - 1, "a section has a gap")
            rows = self._arriving[-1][1]
            _require(part["item"] == len(rows), "the rows of a section have a gap")
            self._require_room(len(part["rows"]))
            rows.extend(Row(decoded(row["id"], format), decoded(row["item"], format)) for row in part["rows"])

    def _take_sections(self, body: Dict[str, Any], format: int) -> None:
        self._require_part(body)
        self._is_structural = True
        for part in body["sections"]:
            _require(part["section"] == len(self._arriving), "the sections have a gap")
            self._require_room(_number(part["count"]))
            self._arriving.append((_header(part["header"], format), [None] * _number(part["count"])))

    def _require_part(self, body: Dict[str, Any]) -> None:
        _require(self._head is not None and self._head["version"] == body["version"], "a part of nothing")

    def _require_room(self, count: int) -> None:
        """Counts rows that come; a reset that tells more than it said would have no end."""
        head = self._head or {}
        self._arrived += count
        _require(len(self._arriving) <= head["sections"] and self._arrived <= head["rows"], "a reset goes on and on")

    def _take_complete(self, body: Dict[str, Any], format: int) -> Change:
        self._require_part(body)
        head = self._head or {}
        sections = tuple(Section(header, tuple(rows)) for header, rows in self._arriving)
        contents = Contents(head["version"], sections, head["aggregates"], self._is_structural)
        _require(head["sections"] == len(sections) and head["rows"] == contents.count, "a reset has a gap")
        self.contents = contents
        self.is_failing = False
        self.forget_arriving()
        return Change("reset", contents, reason=head["reason"])

    # Changes by paths: what goes, by paths before; sections; what comes, by paths after.

    def _take_changes(self, body: Dict[str, Any], format: int) -> Change:
        before = self.contents
        if before is None or self._head is not None:
            raise Misfit("changes of nothing")
        _require(body["sourceVersion"] == before.version, "changes of another version")
        lists, named = body["sections"], body["rows"]
        change = Change(
            "changes",
            deletes=[_row_change(each, format, source="path") for each in named["deletes"]],
            inserts=[_row_change(each, format, target="path") for each in named["inserts"]],
            moves=[_row_change(each, format, "source", "target") for each in named["moves"]],
            updates=[_row_change(each, format, "source", "target") for each in named["updates"]],
            section_deletes=[_section_change(each, format, source="section") for each in lists["deletes"]],
            section_inserts=[_section_change(each, format, target="section") for each in lists["inserts"]],
            section_moves=[_section_change(each, format, "source", "target") for each in lists["moves"]],
            section_updates=[_section_change(each, format, "source", "target") for each in lists["updates"]])
        if not before.is_structural:
            _require(all("item" in each for kind in ("inserts", "moves", "updates") for each in named[kind]), "no item")
        _require(len({each.source for each in change.deletes + change.moves + change.updates})
                 == len(change.deletes) + len(change.moves) + len(change.updates), "a row is named twice")
        sections = [(section.header, section.rows) for section in before.sections]
        for each in change.updates:
            assert each.source
            _row_at(sections, each.source, each.id)
        # In a shape without items it is known from here on which row is to be at the target.
        self._replace(sections, [(each.source, Row(each.id)) for each in change.updates])
        sections = self._inserting(self._rearranged(self._removing(sections, change), change), change)
        for each in change.updates:
            assert each.target
            _row_at(sections, each.target, each.id)
        self._replace(sections, [(each.target, Row(each.id, each.item)) for each in change.updates])
        aggregates = decoded(body["contents"]["after"], format) if "contents" in body else before.aggregates
        contents = Contents(
            _number(body["targetVersion"]), tuple(Section(header, rows) for header, rows in sections), aggregates,
            before.is_structural)
        self.contents = contents
        return replace(change, contents=contents)

    @staticmethod
    def _removing(sections: List[_Rows], change: Change) -> List[_Rows]:
        sections = list(sections)
        for section, paths in _by_section((each.source, each.id) for each in change.deletes + change.moves).items():
            for path, id in paths:
                _row_at(sections, path, id)
            header, rows = sections[section]
            gone = {path.item for path, _ in paths}
            sections[section] = (header, tuple(row for item, row in enumerate(rows) if item not in gone))
        return sections

    @staticmethod
    def _rearranged(sections: List[_Rows], change: Change) -> List[_Rows]:
        arrivals: Dict[Optional[int], _Rows] = {}
        departures = set()
        for move in change.section_moves:
            _require(move.source is not None and move.source < len(sections), "a section is out of bounds")
            arrivals[move.target] = (move.header, sections[move.source or 0][1])
            departures.add(move.source)
        for delete in change.section_deletes:
            _require(delete.source is not None and delete.source < len(sections), "a section is out of bounds")
            _require(not sections[delete.source or 0][1], "a section that goes has rows left")
            departures.add(delete.source)
        for insert in change.section_inserts:
            arrivals[insert.target] = (insert.header, ())
        count = len(change.section_moves)
        _require(len(departures) == count + len(change.section_deletes), "a section goes twice")
        _require(len(arrivals) == count + len(change.section_inserts), "two sections have one place")
        staying = iter([section for ordinal, section in enumerate(sections) if ordinal not in departures])
        total = len(sections) - len(departures) + len(arrivals)
        _require(all(ordinal is not None and ordinal < total for ordinal in arrivals), "a section is out of bounds")
        arranged = [arrivals[ordinal] if ordinal in arrivals else next(staying) for ordinal in range(total)]
        for update in change.section_updates:
            _require(update.target is not None and update.target < total, "a section is out of bounds")
            _require(update.source is not None and update.source < len(sections), "a section is out of bounds")
            identities = [sections[update.source or 0][0].identity, arranged[update.target or 0][0].identity]
            _require(all(key_of(each) == key_of(update.header.identity) for each in identities), "a section is another one")
            arranged[update.target or 0] = (update.header, arranged[update.target or 0][1])
        return arranged

    @staticmethod
    def _inserting(sections: List[_Rows], change: Change) -> List[_Rows]:
        arrivals = _by_section((each.target, Row(each.id, each.item)) for each in change.inserts + change.moves)
        for section, coming in arrivals.items():
            _require(section < len(sections), "a section is out of bounds")
            header, former = sections[section]
            rows: List[Optional[Row]] = []
            taken = 0
            for path, row in coming:
                room = path.item - len(rows)
                _require(0 <= room <= len(former) - taken, "a target is out of bounds, or taken")
                rows.extend(former[taken:taken + room])
                taken += room
                rows.append(row)
            rows.extend(former[taken:])
            sections[section] = (header, tuple(rows))
        return sections

    @staticmethod
    def _replace(sections: List[_Rows], rows: List[Tuple[Optional[Path], Row]]) -> None:
        for section, coming in _by_section(rows).items():
            header, former = sections[section]
            changed = list(former)
            for path, row in coming:
                changed[path.item] = row
            sections[section] = (header, tuple(changed))

    # Changes by identities: whoever is named goes, sections are taken over, upserts come one after the other.

    def _take_keyed(self, body: Dict[str, Any], format: int) -> Change:
        before = self.contents
        if before is None or self._head is not None:
            raise Misfit("keyed changes of nothing")
        change = Change(
            "keyed", deletes=[RowChange(None, None, decoded(id, format)) for id in body["deletes"]],
            upserts=[_row_change(each, format, target="path") for each in body["upserts"]])
        if not before.is_structural:
            _require(all("item" in each for each in body["upserts"]), "no item")
        named = {key_of(each.id) for each in change.deletes + change.upserts}
        _require(len(named) == len(change.deletes) + len(change.upserts), "a row is named twice")
        headers = [(_header(each["header"], format), _number(each["count"])) for each in body["sections"]]
        if before.is_structural:
            # Which of the other rows are where is not told.
            sections: List[_Rows] = [(header, (None,) * count) for header, count in headers]
            for each in change.upserts:
                assert each.target
                _row_at(sections, each.target, each.id)
            self._replace(sections, [(each.target, Row(each.id)) for each in change.upserts])
        else:
            kept = {
                key_of(section.header.identity): tuple(row for row in section.rows if row and key_of(row.id) not in named)
                for section in before.sections
            }
            sections = [(header, kept.get(key_of(header.identity), ())) for header, _ in headers]
            sections = self._inserting(sections, Change("keyed", inserts=change.upserts))
            _require(all(len(rows) == count for (_, rows), (_, count) in zip(sections, headers)), "other rows are there")
        contents = Contents(
            _number(body["targetVersion"]), tuple(Section(header, rows) for header, rows in sections),
            decoded(body.get("aggregates", {}), format), before.is_structural)
        self.contents = contents
        self.is_failing = False
        return replace(change, contents=contents)

    # What the source says of itself.

    def _take_failed(self, body: Dict[str, Any], format: int) -> Change:
        code, message = _text(body["code"]), body.get("message", "")
        self.is_failing = True
        # Where the rows of a reset could not be read, another reset follows.
        self.forget_arriving()
        return Change("failed", self.contents, code=code, message=message)

    def _take_recovered(self, body: Dict[str, Any], format: int) -> Change:
        self.is_failing = False
        return Change("recovered", self.contents)

    def _take_dropped(self, body: Dict[str, Any], format: int) -> None:
        return None

    def _take_refused(self, body: Dict[str, Any], format: int) -> None:
        return None


_Rows = Tuple[Header, Tuple[Optional[Row], ...]]
_KINDS = {"reset", "rows", "sections", "complete", "changes", "keyed", "failed", "recovered", "dropped", "refused"}


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise Misfit(complaint)


def _number(value: Any) -> int:
    # A negative one would be counted from the end.
    if type(value) is not int or value < 0:
        raise ValueError("no number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("no text")
    return value


def _path(value: Any) -> Path:
    return Path(_number(value["section"]), _number(value["item"]))


def _header(value: Any, format: int) -> Header:
    return Header(
        decoded(value["identity"], format), _text(value["title"]), value.get("indexTitle"), value.get("footer"),
        decoded(value.get("aggregates", {}), format))


def _row_change(value: Any, format: int, source: str = "", target: str = "") -> RowChange:
    return RowChange(
        _path(value[source]) if source else None, _path(value[target]) if target else None,
        decoded(value["id"], format), decoded(value.get("item"), format), value.get("contentChanged", True) is True)


def _section_change(value: Any, format: int, source: str = "", target: str = "") -> SectionChange:
    return SectionChange(
        _number(value[source]) if source else None, _number(value[target]) if target else None,
        _header(value["header"], format), _header(value["before"], format) if "before" in value else None)


def _by_section(rows: Iterable[Tuple[Optional[Path], Any]]) -> Dict[int, List[Tuple[Path, Any]]]:
    """Groups what has a path by its section, ascending; no two may have the same."""
    groups: Dict[int, List[Tuple[Path, Any]]] = {}
    for path, value in rows:
        assert path
        groups.setdefault(path.section, []).append((path, value))
    for group in groups.values():
        group.sort(key=lambda each: each[0])
        _require(all(one[0] != other[0] for one, other in zip(group, group[1:])), "two rows have one place")
    return groups


def _row_at(sections: List[_Rows], path: Path, id: Any) -> None:
    """Requires that a row is where the event says, as far as that is known."""
    _require(path.section < len(sections) and path.item < len(sections[path.section][1]), "a path is out of bounds")
    row = sections[path.section][1][path.item]
    _require(row is None or key_of(row.id) == key_of(id), "a row is another one")


# MARK: Server-sent events

@dataclass(frozen=True)
class Message:
    """An event of a stream: its name, its data, and the last id that was told."""

    event: str
    data: str
    id: str


class EventParser:
    """Reads a stream of server-sent events in pieces, cut anywhere: the rules of the WHATWG's standard.

    >>> for message in parser.feed(piece): …
    """

    def __init__(self) -> None:
        #: How many milliseconds the server wants clients to wait; None where it did not say.
        self.retry: Optional[int] = None
        self._pieces: List[bytes] = []
        self._length = 0
        self._ends_with_return = False
        self._is_first = True
        self._id = ""
        self._event = ""
        self._data: List[str] = []

    def feed(self, piece: bytes) -> Iterator[Message]:
        """Takes in bytes, and returns the events that they end."""
        return iter(self._read(piece))

    def _read(self, piece: bytes) -> List[Message]:
        # A carriage return at the end of the piece before has ended its line.
        if self._ends_with_return and piece.startswith(b"\n"):
            piece = piece[1:]
            self._ends_with_return = False
        if not piece:
            return []
        self._ends_with_return = piece.endswith(b"\r")
        self._length += len(piece)
        if self._length > LONGEST_EVENT:
            raise FeedError(f"an event has more than {LONGEST_EVENT} bytes")
        lines = re.split(rb"\r\n|\n|\r", piece)
        if len(lines) == 1:
            self._pieces.append(piece)
            return []
        lines[0] = b"".join(self._pieces) + lines[0]
        self._pieces = [lines.pop()]
        messages: List[Message] = []
        for line in lines:
            self._take(line, messages)
        return messages

    def _take(self, line: bytes, messages: List[Message]) -> None:
        if self._is_first:
            self._is_first = False
            line = line[3:] if line.startswith(b"\xef\xbb\xbf") else line
        if not line:
            if self._data:
                messages.append(Message(self._event or "message", "\n".join(self._data), self._id))
            self._event, self._data, self._length = "", [], 0
            return
        name, _, rest = line.decode("utf-8", "replace").partition(":")
        value = rest[1:] if rest.startswith(" ") else rest
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and re.fullmatch("[0-9]{1,9}", value):
            self.retry = int(value)
        if line.startswith(b":"):
            # A heartbeat is part of no event.
            self._length = sum(map(len, self._data))


# MARK: Connections

class _Lost(Exception):
    """A connection that is to be made anew, at once or after a while that the server named."""

    def __init__(self, message: str, after: float = 0) -> None:
        super().__init__(message)
        self.after = after


def _elapsed() -> float:
    """Seconds, which go on while the machine sleeps where there is a clock for that."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class _Stream:
    """An answer that goes on: a status, and bytes as they come."""

    status: int
    headers: Any

    def open(self) -> None:
        """Asks, and waits until the answer begins."""
        raise NotImplementedError

    def read(self) -> bytes:
        """Waits for bytes; empty at the end. Raises `OSError` after a silence, and where the connection breaks."""
        raise NotImplementedError

    def set_silence(self, seconds: float) -> None:
        """Says how long nothing may come."""

    def close(self) -> None:
        """Ends the answer; may be called while another thread opens it or reads."""

    def release(self) -> None:
        """Lets go of everything; called by the thread that reads."""
        raise NotImplementedError


class _PlainStream(_Stream):
    """The standard library's HTTP, with the socket at hand for the silence and the end."""

    def __init__(self, url: str, headers: Dict[str, str], silence: float, context: Optional[ssl.SSLContext]) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"no address of a feed: {parts.scheme}://{parts.hostname or ''}")
        if parts.scheme == "https":
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=silence, context=context)
        else:
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=silence)
        self._connection = connection
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._request_headers = headers
        self._socket: Any = None
        self._answer: Any = None
        self._is_closed = False

    def open(self) -> None:
        connection = self._connection
        connection.connect()
        # The connection lets go of its socket where the answer is the last one.
        self._socket = connection.sock
        if self._is_closed:
            raise ConnectionError("the feed is closed")
        connection.request("GET", self._path, headers=self._request_headers)
        self._answer = connection.getresponse()
        self.status = self._answer.status
        self.headers = self._answer.headers

    def read(self) -> bytes:
        return self._answer.read1(65536)

    def set_silence(self, seconds: float) -> None:
        self._socket.settimeout(seconds)

    def close(self) -> None:
        self._is_closed = True
        if self._socket is None:
            return
        try:
            # Wakes a thread that reads. That of TLS would have it read on without decrypting.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        except OSError:
            pass  # It is closed already.

    def release(self) -> None:
        self.close()
        if self._answer is not None:
            self._answer.close()
        self._connection.close()


class _ClientStream(_Stream):
    """A client of httpx, whose silence holds from one connection to the next."""

    def __init__(self, client: Any, url: str, headers: Dict[str, str], silence: float) -> None:
        import httpx  # Whoever has one of its clients has it.

        self._failure = httpx.TransportError
        self._client = client
        self._request = client.build_request("GET", url, headers=headers, timeout=silence)
        self._answer: Any = None

    def open(self) -> None:
        try:
            self._answer = self._client.send(self._request, stream=True)
        except self._failure as error:
            raise ConnectionError(str(error)) from error
        self.status = self._answer.status_code
        self.headers = self._answer.headers
        self._bytes = self._answer.iter_bytes()

    def read(self) -> bytes:
        try:
            return next(self._bytes, b"")
        except self._failure as error:
            raise ConnectionError(str(error)) from error

    def release(self) -> None:
        if self._answer is not None:
            self._answer.close()


class FeedState:
    """How a client stands; only "live" says that the list is what the server has."""

    #: There are no contents yet.
    CONNECTING = "connecting"
    #: The contents are the server's, and it was heard of within three heartbeats.
    LIVE = "live"
    #: There are contents that may be out of date: the connection is lost, the source fails, a reset is under way.
    STALE = "stale"
    #: The feed is followed no more.
    ENDED = "ended"


class FeedClient:
    """Follows a feed. Iterating gives a `Change` for each that happens, for as long as it is followed.

    Arguments:
        url: The address of a stream of server-sent events. With `sectile serve` that is
            `/api/events` with a request, and `items=1` for whole rows.
        headers: More headers, such as `Authorization` or `Cookie`.
        heartbeat: How often the server is heard of, in seconds, where it does not say so itself.
        wait, longest_wait: How long to wait before the first attempt to connect again, and at most.
            The wait doubles, and up to half of it is added by chance. What the server asks for
            (`retry`, `Retry-After`) is the least.
        client: A client of httpx, for proxies and whatever else it can do.
        context: What is trusted where `url` begins with `https:`.
        on_state: Called with the client whenever `state` has changed.

    Iterating raises `FeedRefused` where the server refuses the feed for good, and `UnknownFormat`.
    A feed is iterated by one thread; `close` may be called by any. With a client of httpx it takes
    effect when the server is heard of next.
    """

    def __init__(
        self, url: str, *, headers: Optional[Dict[str, str]] = None, heartbeat: float = 15, wait: float = 0.5,
        longest_wait: float = 10, client: Any = None, context: Optional[ssl.SSLContext] = None,
        on_state: Optional[Callable[["FeedClient"], None]] = None
    ) -> None:
        self.url = url
        #: What is handed back when it connects again.
        self.position = ""
        #: Why the connection was lost last.
        self.last_error: Optional[BaseException] = None
        #: How often something did not fit, and the contents were asked for anew.
        self.misfits = 0
        self._headers = dict(headers or {})
        self._silence = heartbeat * 3
        self._wait = wait
        self._longest_wait = longest_wait
        self._client = client
        self._context = context
        self._on_state = on_state
        self._folder = Folder()
        self._closed = threading.Event()
        self._stream: Any = None
        self._attempts = 0
        self._misfits_in_a_row = 0
        self._lock = threading.Lock()
        # What was said last of how it stands, guarded by the lock.
        self._said = FeedState.CONNECTING
        # When the server was heard of last, and since when this connection is live.
        self._heard = 0.0
        self._live_since: Optional[float] = None

    @property
    def state(self) -> str:
        """How the client stands: see `FeedState`.

        It is not live either while whoever iterates takes so long over a change that nothing was
        read for three heartbeats, or after the machine has slept; `on_state` is not called for that.
        """
        if self._said == FeedState.LIVE and _elapsed() - self._heard >= self._silence:
            return FeedState.STALE
        return self._said

    @property
    def contents(self) -> Optional[Contents]:
        """The list as the last change left it; None before the first."""
        return self._folder.contents

    def __enter__(self) -> "FeedClient":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the feed: iterating ends. May be called by any thread, and twice."""
        self._closed.set()
        stream = self._stream
        if stream is not None:
            stream.close()
        self._become(FeedState.ENDED)

    def __iter__(self) -> Iterator[Change]:
        try:
            while not self._closed.is_set():
                pause = 0.0
                try:
                    yield from self._follow()
                except ssl.SSLCertVerificationError as error:
                    raise FeedRefused("the server's certificate is not trusted", 0, "untrusted") from error
                except (OSError, http.client.HTTPException) as error:
                    self.last_error = error
                except Misfit as error:
                    # What is held is no good: begins without a position.
                    self.last_error = error
                    self.misfits += 1
                    self._misfits_in_a_row += 1
                    self.position = ""
                except _Lost as error:
                    self.last_error = error
                    pause = error.after
                if self._closed.is_set():
                    break
                self._become(FeedState.STALE if self.contents else FeedState.CONNECTING)
                self._closed.wait(self._next_wait(pause))
        except GeneratorExit:
            # Who iterates again goes on from the position.
            self._become(FeedState.STALE if self.contents else FeedState.CONNECTING)
            raise
        except FeedError:
            self._closed.set()
            raise
        finally:
            if self._closed.is_set():
                self._become(FeedState.ENDED)

    def _next_wait(self, least: float) -> float:
        exponent = min(max(self._attempts, self._misfits_in_a_row), 30)
        self._attempts += 1
        # A server that asks for no wait at all is left alone for longer each time, too.
        first = max(self._wait, 0.001)
        wait: float = min(first * 2 ** exponent, max(first, self._longest_wait))
        return max(least, wait) * (1 + random.random() / 2)

    def _follow(self) -> Iterator[Change]:
        """One connection, from its beginning to its end."""
        self._folder.forget_arriving()
        self._live_since = None
        stream = self._make_stream()
        self._stream = stream
        try:
            if self._closed.is_set():
                return
            stream.open()
            self._require_stream(stream)
            parser = EventParser()
            parser._id = self.position
            is_first = True
            while not self._closed.is_set():
                piece = stream.read()
                if not piece:
                    raise _Lost("the server has ended the stream")
                if self._closed.is_set():
                    return
                self._heard = _elapsed()
                messages = parser.feed(piece)
                if parser.retry is not None:
                    self._wait = min(parser.retry / 1000, 300)
                if is_first and self._folder.is_failing:
                    # The server says it again if it lasts.
                    self._folder.is_failing = False
                    self._become(self._standing())
                    yield Change("recovered", self.contents)
                is_first = False
                for message in messages:
                    if self._closed.is_set():
                        return
                    yield from self._take(message, stream)
                # Not before something is heard: a proxy may answer for a server that is gone.
                self._become(self._standing())
        finally:
            self._stream = None
            stream.release()
            # An event is no sign that the connection is good: each may bring the same and break.
            if self._live_since is not None and _elapsed() - self._live_since >= self._silence / 3:
                self._attempts = 0

    def _make_stream(self) -> Any:
        headers = {"Accept-Encoding": "identity", **self._headers, "Accept": "text/event-stream", "Cache-Control": "no-store"}
        if self.position:
            headers["Last-Event-ID"] = self.position
        if self._client is not None:
            return _ClientStream(self._client, self.url, headers, self._silence)
        return _PlainStream(self.url, headers, self._silence, self._context)

    def _take(self, message: Message, stream: Any) -> Iterator[Change]:
        if message.event == "stream":
            self._begin(message, stream)
        change = self._folder.take(message.event, message.data)
        self.position = message.id
        if message.event == "dropped":
            raise _Lost("the client was too slow")
        if message.event == "refused":
            # The status is what the server would answer now.
            raise FeedRefused("the server does not allow the client any more", 403, "refused")
        if message.event in ("changes", "keyed"):
            self._misfits_in_a_row = 0
        self._become(self._standing())
        if change:
            yield change

    def _standing(self) -> str:
        """How a client stands that has just heard of the server."""
        if self.contents is None:
            return FeedState.CONNECTING
        is_live = self.position and not self._folder.is_failing and not self._folder.is_arriving
        return FeedState.LIVE if is_live else FeedState.STALE

    def _begin(self, message: Message, stream: Any) -> None:
        """The first event of `sectile serve` says how often it is heard of."""
        try:
            body = json.loads(message.data)
            format, heartbeat = body.get("format"), body.get("heartbeat", 0)
        except (ValueError, AttributeError) as error:
            raise Misfit("the first event is no JSON of an object") from error
        if format not in KNOWN_FORMATS:
            raise UnknownFormat(format)
        if isinstance(heartbeat, (int, float)) and 0 < heartbeat < 86400:
            self._silence = heartbeat * 3
            stream.set_silence(self._silence)

    @staticmethod
    def _require_stream(stream: Any) -> None:
        """Raises what becomes of an answer that is no stream of events."""
        kind = (stream.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
        if stream.status == 200 and kind == "text/event-stream":
            return
        if stream.status in (408, 425, 429) or stream.status >= 500:
            after = stream.headers.get("Retry-After") or ""
            seconds = min(float(after), 300) if re.fullmatch("[0-9]{1,6}", after) else 0
            raise _Lost(f"the server answers {stream.status}", seconds)
        if stream.status == 200:
            raise FeedRefused(f"the server answers '{kind}', which is no stream of events", 200)
        body: Any = None
        try:
            body = json.loads(stream.read())
        except (OSError, http.client.HTTPException, ValueError):
            pass  # The status says enough.
        body = body if isinstance(body, dict) else {}
        raise FeedRefused(
            str(body.get("message") or f"the server answers {stream.status}"), stream.status,
            str(body.get("code") or "unknown"), str(body.get("hint") or ""))

    def _become(self, state: str) -> None:
        with self._lock:
            if state == self._said or self._said == FeedState.ENDED:
                return
            self._said = state
            if state == FeedState.LIVE and self._live_since is None:
                self._live_since = self._heard
        if self._on_state:
            self._on_state(self)
