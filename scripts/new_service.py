"""Fills in a copy of Examples/FromFile for scripts/new-service: names, tables, the file of the tests.

new_service.py FOLDER NAME FILE ROWS SECTILE VERSION
"""

import pathlib
import re
import sqlite3
import sys
import urllib.parse

LITERAL = r'"(?:[^"\\]|\\.)*"'
# Longer rows are no help to a test.
ROW_LIMIT = 100_000


def fail(code, message, hint):
    print(f"error: {message}\nHint: {hint}", file=sys.stderr)
    sys.exit(code)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def unescaped(literal):
    """The text of a literal that `sectile entities` has written."""
    return re.sub(
        r"\\(?:u\{([0-9A-Fa-f]+)\}|(.))",
        lambda match: chr(int(match[1], 16)) if match[1] else match[2],
        literal[1:-1],
    )


def literal(text):
    """A text as a literal of Swift, raw where that can be read."""
    if text.isprintable() and '"#' not in text and "\\#" not in text:
        return f'#"{text}"#'
    escaped = "".join(
        character if character.isprintable() and character not in '"\\' else f"\\u{{{ord(character):X}}}"
        for character in text
    )
    return f'"{escaped}"'


class Table:
    """A table that has a struct."""

    def __init__(self, match, taken):
        self.type = match[1]
        self.name = unescaped(match[2])
        self.key = [unescaped(text) for text in re.findall(LITERAL, match[3])]
        words = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", self.name)
        wanted = re.sub(r"[^0-9A-Za-z]+", "-", words).strip("-").lower() or "table"
        self.list, number = wanted, 2
        while self.list in taken:
            self.list, number = f"{wanted}-{number}", number + 1
        taken.add(self.list)


def tables_of(entities):
    taken = set()
    pattern = rf"EntitySchema<([^>\n]+)>\(\n +({LITERAL}), primaryKey: ({LITERAL}(?:, {LITERAL})*),\n"
    return [Table(match, taken) for match in re.finditer(pattern, entities)]


def rename(folder, name):
    """Gives the copy its name, in texts and in paths."""
    module = "".join(word.capitalize() for word in name.split("-"))

    def renamed(text):
        text = re.sub(r"\bSample(Service|Tables)", rf"{module}\1", text)
        return re.sub(r"\bsample\b", name, text)

    for path in sorted(folder.rglob("*"), reverse=True):
        # What the tests have of the template's own file, and the client of live lists.
        if path.is_file() and path.name not in ("entities", "sectile.js", "fixture.sql"):
            path.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
        if renamed(path.name) != path.name and path.name != "entities":
            path.rename(path.with_name(renamed(path.name)))
    return module


def depend(manifest, sectile, version):
    """Says where Sectile is, and that its client of live lists is here."""
    text = manifest.read_text(encoding="utf-8")
    if "://" in sectile or re.search(r"@.*:", sectile):
        requirement = f'from: "{version}"' if version else 'branch: "main"'
        where = f'url: "{sectile}", {requirement}'
        identity = re.split(r"[/:]", sectile.rstrip("/"))[-1].removesuffix(".git")
        text = text.replace('package: "Sectile"', f'package: "{identity}"')
    else:
        escaped = sectile.replace("\\", "\\\\").replace('"', '\\"')
        where = f'name: "Sectile", path: "{escaped}"'
    text = text.replace('name: "Sectile", path: "../.."', where)
    text = text.replace("../../../../Sources/SectileServer/Page/sectile.js", "Page/sectile.js")
    note = "// What `scripts/new-service` copies: a service of a SQLite file that exists."
    text = text.replace(note, "// A service of a SQLite file, made by `scripts/new-service` of Sectile.")
    manifest.write_text(text, encoding="utf-8")


def lists_text(template, tables):
    """`Tables.swift`: a line for each table in place of the template's."""
    lines = [f'    .init("{table.list}", of: Sectile.FetchRequest<{table.type}>(), in: store),\n' for table in tables]
    return re.sub(r"(?m)(^    \.init\(.*\n)+", lambda _: "".join(lines), template)


class Fixture:
    """The schema of the file and some rows of the served tables, as SQL that works in an empty file."""

    def __init__(self, path, tables, limit):
        self.statements = []
        self.trial = sqlite3.connect(":memory:", isolation_level=None)
        source = sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?mode=ro", uri=True)
        source.text_factory = lambda data: data.decode("utf-8", "replace")
        shadows = {name for name, in source.execute("SELECT name FROM pragma_table_list WHERE type = 'shadow'")}
        objects = [
            (kind, name, sql)
            for kind, name, sql in source.execute(
                "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
            if not name.lower().startswith(("sqlite_", "sectile_")) and name not in shadows
        ]
        for kind, name, sql in objects:
            if kind == "table":
                self.add(sql, name)
        source.text_factory = bytes
        for table in tables:
            self.copy(source, table, limit)
        for kind, name, sql in objects:
            # Triggers of a change log are not the file's own.
            if kind != "table" and not (kind == "trigger" and "sectile_" in sql):
                self.add(sql, name)
        source.close()

    def add(self, sql, name=None):
        try:
            self.trial.execute(sql)
        except sqlite3.Error as error:
            # A collation or a function of the program that writes the file, for one.
            if name is not None:
                print(f"The tests do without {name}: {error}", file=sys.stderr)
            return
        text = sql.rstrip().rstrip(";") + ";"
        # A comment that ends the text would swallow what ends the statement.
        self.statements.append(text if sqlite3.complete_statement(text) else f"{text[:-1]}\n;")

    def copy(self, source, table, limit):
        columns = [
            name.decode() for name, hidden in source.execute(
                "SELECT name, hidden FROM pragma_table_xinfo(?)", (table.name,)) if hidden == 0
        ]
        names = ", ".join(quoted(column) for column in columns)
        values = ", ".join(f"quote({quoted(column)})" for column in columns)
        try:
            for row in source.execute(f"SELECT {values} FROM {quoted(table.name)} LIMIT ?", (limit,)):
                try:
                    text = b", ".join(row).decode("utf-8")
                except UnicodeDecodeError:
                    continue
                if len(text) <= ROW_LIMIT and "\0" not in text:
                    self.add(f"INSERT INTO {quoted(table.name)} ({names}) VALUES ({text})")
        except sqlite3.Error as error:
            # A value of hundreds of megabytes, for one.
            print(f"The tests do without some rows of {table.name}: {error}", file=sys.stderr)

    def change(self, tables):
        """A table, and a statement that takes one of its rows, also with the file's own triggers."""
        for table in tables:
            name, key = quoted(table.name), ", ".join(quoted(column) for column in table.key)
            count = f"SELECT count(*) FROM {name}"
            sql = f"DELETE FROM {name} WHERE ({key}) IN (SELECT {key} FROM {name} LIMIT 1)"
            self.trial.execute("SAVEPOINT change")
            try:
                before = self.trial.execute(count).fetchone()[0]
                self.trial.execute(sql)
                if self.trial.execute(count).fetchone()[0] < before:
                    return table, sql
            except sqlite3.Error:
                pass
            finally:
                if self.trial.in_transaction:
                    self.trial.execute("ROLLBACK")
        return tables[0], None

    def text(self):
        return "".join(f"{sql}\n" for sql in self.statements)


def fixture_text(template, table, change):
    """`Fixture.swift` of these tables in place of the template's."""
    template = re.sub(
        r"static let list = .*", lambda _: f'static let list = "{table.list}"', template)
    value = "nil" if change is None else f"\n    {literal(change)}"
    return re.sub(
        r'static let change: String\? =\s+#".*"#',
        lambda _: f"static let change: String? ={'' if change else ' '}{value}", template)


def main():
    folder, name, path, rows, sectile, version = sys.argv[1:]
    folder = pathlib.Path(folder)
    entities = (folder / "entities").read_text(encoding="utf-8")
    tables = tables_of(entities)
    if not tables:
        fail(
            65, f"{path} has no table that can be served: none has a primary key",
            "sectile transform FILE --table NAME --key COLUMN gives a table one.")
    module = rename(folder, name)
    depend(folder / "Package.swift", sectile, version)
    sources = folder / "Sources" / f"{module}Tables"
    (folder / "entities").replace(sources / "Entities.swift")
    lists = sources / "Tables.swift"
    lists.write_text(lists_text(lists.read_text(encoding="utf-8"), tables), encoding="utf-8")
    try:
        fixture = Fixture(pathlib.Path(path).resolve(), tables, int(rows))
    except sqlite3.Error as error:
        fail(74, f"{path} cannot be read: {error}", "Try it again when no other program has it locked.")
    (folder / "Tests" / "fixture.sql").write_text(fixture.text(), encoding="utf-8")
    table, change = fixture.change(tables)
    if change is None:
        print("The tests see no commit: there is no row in the served tables that can be deleted.", file=sys.stderr)
    tests = folder / "Tests" / f"{module}ServiceTests" / "Fixture.swift"
    tests.write_text(fixture_text(tests.read_text(encoding="utf-8"), table, change), encoding="utf-8")


main()
