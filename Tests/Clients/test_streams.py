"""The recorded streams, by the schema, by the client for Python, and by sectile.js where there is node."""

import copy
import json
import math
import os
import random
import shutil
import subprocess
import sys
import unittest

import jsonschema_subset
from streams import BIG, CONTENTS, ROOT, counts, fold_script, names, recorded, schema

sys.path.insert(0, os.path.join(ROOT, "Clients", "python"))
sys.path.insert(1, os.path.join(ROOT, "Tests", "Browser"))

import changesets  # noqa: E402
import sectile_feed  # noqa: E402
from sectile_feed import Contents, EventParser, Folder, Header, Misfit, Row, Section, UnknownFormat, decoded, key_of  # noqa: E402

SEED = int(os.environ.get("SECTILE_SEED", "0") or 0) or random.randrange(1, 10**6)


def text(contents):
    """Contents as `CONTENTS` has them."""
    sections = [
        f"{section.header.title}[{' '.join('-' if row is None else str(row.id) for row in section.rows)}]"
        for section in contents.sections
    ]
    return " ".join([str(contents.version), *sections])


def messages(name):
    return list(EventParser().feed(recorded(name)))


class SchemaTests(unittest.TestCase):
    schema = schema()

    def complaints(self, event, data):
        return jsonschema_subset.complaints(self.schema, {"event": event, "data": data}, self.schema)

    def test_each_event_is_valid(self):
        kinds = set()
        for name in names():
            for message in messages(name):
                with self.subTest(stream=name, event=message.event):
                    self.assertEqual(self.complaints(message.event, json.loads(message.data)), [])
                kinds.add(message.event)
        self.assertEqual(kinds, set(self.schema["properties"]["event"]["enum"]))

    def test_it_is_closed(self):
        """Each object that is not free in its form takes no other member, and needs those that it has in all streams."""
        free = {"item", "aggregates", "before", "after", "identity", "id"}
        optional = {"aggregates", "contents", "indexTitle", "footer", "header", "item"}
        count = 0

        def variants(value):
            if isinstance(value, list):
                # Identities are free in their form.
                for offset, each in enumerate(value):
                    for variant in variants(each) if isinstance(each, dict) else ():
                        yield value[:offset] + [variant] + value[offset + 1:]
            elif isinstance(value, dict):
                yield {**value, "stray": 1}
                for name in value:
                    if name not in optional:
                        yield {other: each for other, each in value.items() if other != name}
                    if name not in free:
                        for variant in variants(value[name]):
                            yield {**value, name: variant}
            else:
                yield {"no": "value"}

        for name in names():
            for message in messages(name):
                for variant in variants(json.loads(message.data)):
                    self.assertNotEqual(self.complaints(message.event, variant), [], variant)
                    count += 1
        self.assertGreater(count, 500)

    def test_values(self):
        def isValue(value):
            header = {"identity": value, "title": ""}
            part = {"format": 2, "version": 1, "sections": [{"section": 0, "header": header, "count": 0}]}
            return self.complaints("sections", part) == []

        for value in [None, "", 1, 1.0, -0.5, 2**53 - 1, 1e300, -1e300, {"$integer": str(2**53)}, {"$real": "9e999"},
                      {"$real": "-9e999"}, {"$real": "4.611686018427388e+18"}, {"$blob": "00ff"}, {"$text": "ff"}]:
            self.assertTrue(isValue(value), value)
        for value in [True, [], {}, 2**53, -(2**53), float(2**62), {"$integer": 1}, {"$integer": "1.0"}, {"$real": "x"},
                      {"$blob": "0"}, {"$blob": "00", "$text": "00"}, {"blob": "00"}]:
            self.assertFalse(isValue(value), value)

    def test_other_formats_are_invalid(self):
        for message in messages("changes"):
            self.assertNotEqual(self.complaints(message.event, {**json.loads(message.data), "format": 3}), [])

    def test_what_the_server_adds_to_a_failure(self):
        self.assertEqual(self.complaints("failed", {"format": 2, "code": "busy", "message": "Locked.", "hint": "Wait."}), [])

    def test_a_full_validator_says_the_same(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("the package jsonschema is not here")
        jsonschema.Draft202012Validator.check_schema(self.schema)
        validator = jsonschema.Draft202012Validator(self.schema)
        for name in names():
            for message in messages(name):
                validator.validate({"event": message.event, "data": json.loads(message.data)})


class ParserTests(unittest.TestCase):
    def test_cut_at_every_byte(self):
        for name in names():
            stream = recorded(name)
            for ends in (b"\n", b"\r", b"\r\n"):
                other = b"\xef\xbb\xbf" + stream.replace(b"\n", ends)
                whole = list(EventParser().feed(stream))
                for cut in range(len(other) + 1):
                    parser = EventParser()
                    read = list(parser.feed(other[:cut])) + list(parser.feed(other[cut:]))
                    if read != whole:
                        self.fail(f"{name}, cut at {cut}")
                    self.assertEqual(parser.retry, 2000)
                parser = EventParser()
                self.assertEqual([each for byte in other for each in parser.feed(bytes([byte]))], whole)

    def test_the_rules_of_the_standard(self):
        def read(stream):
            return [(each.event, each.data, each.id) for each in EventParser().feed(stream)]

        self.assertEqual(read(b": a comment\n\ndata: 1\n\n"), [("message", "1", "")])
        self.assertEqual(read(b"data:  1\ndata\ndata:2\n\n"), [("message", " 1\n\n2", "")])
        self.assertEqual(read(b"id: 7\n\ndata: 1\n\nid\ndata: 2\n\n"), [("message", "1", "7"), ("message", "2", "")])
        self.assertEqual(read(b"id: a\0b\nevent: x\nother: y\ndata: 1\n\ndata: 2\n\n"), [("x", "1", ""), ("message", "2", "")])
        self.assertEqual(read(b"data: 1\n"), [])
        self.assertEqual(read(b"event: x\n\ndata: \xff\n\n"), [("message", "\ufffd", "")])
        parser = EventParser()
        self.assertEqual(list(parser.feed(b"retry: 12x\nretry: -1\n")), [])
        self.assertIsNone(parser.retry)

    def test_an_event_without_an_end_is_refused(self):
        parser = EventParser()
        longest, sectile_feed.LONGEST_EVENT = sectile_feed.LONGEST_EVENT, 100
        try:
            for _ in range(1000):
                self.assertEqual(list(parser.feed(b":\n")), [])
            with self.assertRaises(sectile_feed.FeedError):
                for _ in range(20):
                    list(parser.feed(b"data: 123456\n"))
        finally:
            sectile_feed.LONGEST_EVENT = longest


class FoldTests(unittest.TestCase):
    def test_each_stream_leads_to_its_contents(self):
        self.assertEqual(set(names()), set(CONTENTS))
        for name in names():
            folder, told = Folder(), []
            for message in messages(name):
                change = folder.take(message.event, message.data)
                if change:
                    self.assertIs(change.contents, folder.contents)
                    told.append((change.kind, text(folder.contents)))
            self.assertEqual(told, CONTENTS[name], name)

    def test_values_are_exact(self):
        folder, changes = Folder(), []
        for message in messages("changes"):
            change = folder.take(message.event, message.data)
            if change:
                changes.append(change)
        rows = {row.id: row.item for row in changes[0].contents.rows}
        self.assertEqual(rows[2]["label"], 'tab\t"quoted" \\ é 😀\nnext')
        self.assertEqual((rows[BIG]["value"], rows[BIG]["total"]), (2**63 - 1, -(2**63)))
        self.assertEqual((rows[4]["value"], rows[4]["raw"]), (math.inf, b"\x00\xff"))
        self.assertTrue(math.isnan(rows[4]["factor"]))
        self.assertEqual((rows[5]["isOpen"], rows[6]["value"], rows[1]["value"]), (True, b"", None))
        seventh = changes[1].inserts[0]
        self.assertEqual((seventh.item["value"], type(seventh.item["value"]), seventh.item["total"]), (2.0**62, float, 2**53))
        self.assertEqual(changes[0].contents.sections[0].header.aggregates, {"count": 2, "sum(size)": 30.0})
        self.assertIs(type(changes[0].contents.sections[0].header.aggregates["sum(size)"]), float)
        self.assertEqual([each.contents.aggregates for each in changes], [{"count": 6}] + [{"count": 7}] * 4 + [{"count": 0}])
        self.assertEqual(changes[2].contents.sections[2].header.identity, b"\x01\x02")
        five = changes[0].contents.sections[1].header
        self.assertEqual((five.identity, five.index_title, five.footer), (5, "5", "foot"))
        self.assertEqual((changes[0].reason, changes[3].code), ("joined", "noSuchPath"))
        self.assertEqual([each.content_changed for each in changes[2].moves], [False, True, False])
        # What was told before is as it was.
        self.assertEqual(text(changes[0].contents), CONTENTS["changes"][0][1])

    def test_tags(self):
        self.assertEqual(decoded({"$text": "61ff"}).encode("utf-8", "surrogateescape"), b"a\xff")
        self.assertEqual(decoded([{"a": {"$integer": "-9223372036854775808"}}]), [{"a": -(2**63)}])
        self.assertEqual(decoded({"$real": "-9e999"}), -math.inf)
        # In format 1 they had no dollar sign.
        self.assertEqual(decoded([{"blob": "00"}, {"real": "-inf"}], 1), [b"\x00", -math.inf])
        for value in [{"blob": "00"}, {"$blob": "0"}, {"$integer": "+1"}, {"$integer": 1}, {"$blob": "00", "a": 1}, {"$cut": "text"}]:
            self.assertEqual(decoded(value), value)

    def test_identities(self):
        self.assertEqual(key_of(1), key_of(1.0))
        self.assertNotEqual(key_of(2**53 + 1), key_of(2.0**53))
        keys = [None, True, False, 0, 1, "1", b"1", [1], ["1"], {"a": 1}, {"a": True}, math.nan, "nan"]
        self.assertEqual(len({key_of(each) for each in keys}), len(keys))
        self.assertEqual(key_of(math.nan), key_of(float("nan")))

    def test_other_formats_are_refused_by_name(self):
        for format in [3, 0, None, "2", True, 2.5]:
            for event in ["reset", "changes", "failed", "recovered"]:
                with self.assertRaisesRegex(UnknownFormat, "format .*reads 1 and 2"):
                    Folder().take(event, json.dumps({"format": format}))
        # More kinds may come.
        self.assertIsNone(Folder().take("novelty", "?"))

    def test_any_changeset(self):
        """With items and without, sections that move among them: what is folded is what there is."""
        r = random.Random(SEED)
        for _ in range(150):
            before = changesets.Contents.random(r)
            whole, structure = Folder(), Folder()
            items = {id: 0 for id in before.ids}
            whole.contents = Contents(1, sections(before, items))
            structure.contents = Contents(1, tuple(Section(each.header, (None,) * each.count) for each in sections(before, items)), {}, True)
            for version in range(1, 6):
                after = before.changed(r)
                changes, updated = changesets.changeset(before, after, version, r)
                items = {id: version if id in updated else items.get(id, version) for id in after.ids}
                structure.take("changes", json.dumps(changes))
                full = copy.deepcopy(changes)
                for kind in ("inserts", "moves", "updates"):
                    for each in full["rows"][kind]:
                        each["item"] = items[each["id"]]
                whole.take("changes", json.dumps(full))
                self.assertEqual(whole.contents, Contents(version + 1, sections(after, items)), f"seed {SEED}")
                # What is known of rows in the structure is right.
                self.assertEqual([section.count for section in structure.contents.sections], [len(ids) for _, _, ids in after.sections])
                for known, row in zip(structure.contents.rows, whole.contents.rows):
                    self.assertIn(known, (None, Row(row.id)), f"seed {SEED}")
                before = after

    def test_any_keyed_answer(self):
        """Rows that were touched, and more: what is folded is what there is."""
        r = random.Random(SEED)
        for _ in range(300):
            before = changesets.Contents.random(r)
            after = before.changed(r)
            folder = Folder()
            items = {id: 0 for id in before.ids}
            folder.contents = Contents(1, sections(before, items))
            # Those that may be elsewhere among the others, and some that are not.
            changes, _ = changesets.changeset(before, after, 1, r)
            named = {each["id"] for kind in changes["rows"].values() for each in kind}
            named |= {id for id in after.ids if r.random() < 0.1} | {777}
            items = {id: 1 if id in named else 0 for id in after.ids}
            paths = after.paths()
            keyed = {
                "format": 2, "targetVersion": 9, "deletes": [id for id in named if id not in paths],
                "upserts": [{"path": {"section": paths[id][0], "item": paths[id][1]}, "id": id, "item": items[id]}
                            for id in after.ids if id in named],
                "sections": after.json
            }
            folder.take("keyed", json.dumps(keyed))
            self.assertEqual(folder.contents, Contents(9, sections(after, items)), f"seed {SEED}")

    def test_what_does_not_fit_is_refused(self):
        """Whatever is wrong with it, and the contents stay as they were."""
        r = random.Random(SEED)
        done = 0
        while done < 400:
            before = changesets.Contents.random(r)
            changes, _ = changesets.changeset(before, before.changed(r), 1, r)
            rows, lists = changes["rows"], changes["sections"]
            kind = r.choice(["version", "delete", "insert", "negative", "section", "twice", "other", "count", "update"])
            if kind == "version":
                changes["sourceVersion"] = 2
            elif kind == "delete" and rows["deletes"]:
                rows["deletes"][0]["path"]["item"] = 100
            elif kind == "insert" and rows["inserts"]:
                rows["inserts"][0]["path"]["item"] = 100
            elif kind == "negative" and rows["inserts"]:
                rows["inserts"][0]["path"]["item"] = -1
            elif kind == "section":
                lists["inserts"].append({"section": 50, "header": {"identity": "?", "title": ""}})
            elif kind == "twice" and rows["deletes"]:
                rows["deletes"].append(rows["deletes"][0])
            elif kind == "other" and rows["deletes"]:
                rows["deletes"][0]["id"] = 999
            elif kind == "count":
                del rows["moves"]
            elif kind == "update" and rows["updates"]:
                rows["updates"][0]["target"]["item"] += 100
            else:
                continue
            for name in ("inserts", "moves", "updates"):
                for each in rows.get(name, []):
                    each["item"] = 0
            folder = Folder()
            contents = folder.contents = Contents(1, sections(before, {id: 0 for id in before.ids}))
            with self.assertRaises(Misfit, msg=f"{kind}, seed {SEED}"):
                folder.take("changes", json.dumps(changes))
            self.assertIs(folder.contents, contents)
            done += 1

    def test_resets_with_gaps_are_refused(self):
        stream = [(each.event, json.loads(each.data)) for each in messages("changes")[:5]]

        def take(stream):
            folder = Folder()
            for event, data in stream:
                folder.take(event, json.dumps(data))
            return folder

        self.assertEqual(take(stream).contents.count, 6)
        for without in [0, 1, 2, 3]:
            with self.assertRaises(Misfit):
                take(stream[:without] + stream[without + 1:])
        with self.assertRaises(Misfit):
            take(stream[:2] + stream[1:])
        for event in ["changes", "keyed"]:
            with self.assertRaises(Misfit):
                Folder().take(event, json.dumps({"format": 2}))
        for data in ["", "[]", "{", '{"format":2,"version":NaN}']:
            with self.assertRaises(Misfit):
                Folder().take("complete", data)


def sections(contents, items):
    return tuple(Section(Header(name, title), tuple(Row(id, items[id]) for id in ids)) for name, title, ids in contents.sections)


class JavaScriptTests(unittest.TestCase):
    """What Tests/Browser/test_streams.py does in a browser."""

    def test_each_stream_leads_to_its_contents(self):
        node = shutil.which("node")
        if not node:
            self.skipTest("node is not here; the tests of the page do the same in a browser")
        script = fold_script() + """
          const { readFileSync } = await import("node:fs")
          const source = readFileSync(process.env.SECTILE_JS, "utf8")
          const sectile = await import("data:text/javascript," + encodeURIComponent(source))
          const streams = JSON.parse(readFileSync(0, "utf8"))
          console.log(JSON.stringify(streams.map(messages => fold(sectile, messages))))
        """
        streams = [[vars(each) for each in messages(name)] for name in names()]
        unknown = [{**each, "data": each["data"].replace('"format":2', '"format":3', 1)} for each in streams[0]]
        done = subprocess.run(
            [node, "--input-type=module", "-e", script], input=json.dumps(streams + [unknown]), capture_output=True, text=True,
            env={**os.environ, "SECTILE_JS": os.path.join(ROOT, "Sources", "SectileServer", "Page", "sectile.js")}, timeout=60)
        self.assertEqual(done.stderr, "")
        *folded, refused = json.loads(done.stdout)
        for name, result in zip(names(), folded):
            self.assertEqual(result["told"], [[kind, *counts(contents)] for kind, contents in CONTENTS[name]], name)
            self.assertEqual((result["misfits"], result["reopened"]), (0, 1 if name == "slow" else 0), name)
            self.assertEqual((result["state"], result["position"]), ("open", messages(name)[-1].id), name)
        self.assertEqual(refused["errors"], [["unknownFormat", "the server writes format 3; this page reads 1 and 2"]])
        self.assertEqual((refused["told"], refused["state"]), ([["failed", 0, []]], "refused"))


if __name__ == "__main__":
    unittest.main()
