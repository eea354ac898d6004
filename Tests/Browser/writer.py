"""Random transactions of another process."""

import random

GROUPS = ["A", "B", "c", "", None, "é", "Z z"]


class Writer:
    """Random transactions on `item`."""

    def __init__(self, connection, seed):
        self.random = random.Random(seed)
        self.connection = connection
        self.next = 1
        self.ids = []
        connection.execute(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, place INTEGER NOT NULL, name TEXT, weight REAL)")

    def value(self):
        r = self.random
        return (r.choice(GROUPS), r.randrange(500), r.choice([None, "x", "name %d" % r.randrange(99)]), r.randrange(-400, 400) / 4)

    def insert(self):
        self.connection.execute("INSERT INTO item VALUES (?, ?, ?, ?, ?)", (self.next, *self.value()))
        self.ids.append(self.next)
        self.next += 1
        return [self.next - 1]

    def some(self):
        return self.random.choice(self.ids)

    def remove(self):
        id = self.ids.pop(self.random.randrange(len(self.ids)))
        self.connection.execute("DELETE FROM item WHERE id = ?", (id,))
        return [id]

    def change(self):
        id = self.some()
        column = self.random.choice(["part", "place", "name", "weight"])
        value = self.value()[["part", "place", "name", "weight"].index(column)]
        self.connection.execute(f"UPDATE item SET {column} = ? WHERE id = ?", (value, id))
        return [id]

    def key(self):
        at = self.random.randrange(len(self.ids))
        id, self.ids[at] = self.ids[at], self.next
        self.connection.execute("UPDATE item SET id = ? WHERE id = ?", (self.next, id))
        self.next += 1
        return [id, self.next - 1]

    def bulk(self):
        kind = self.random.randrange(5)
        part = self.random.choice(GROUPS)
        touched = [row[0] for row in self.connection.execute("SELECT id FROM item WHERE part IS ?", (part,))]
        if kind == 0:
            self.connection.execute("UPDATE item SET part = ? WHERE part IS ?", (self.random.choice(GROUPS), part))
        elif kind == 1:
            self.connection.execute("UPDATE item SET place = 500 - place WHERE part IS ?", (part,))
        elif kind == 2:
            self.connection.execute("UPDATE item SET weight = weight + 1 WHERE part IS ?", (part,))
        elif kind == 3 and len(touched) < len(self.ids) / 3:
            self.connection.execute("DELETE FROM item WHERE part IS ?", (part,))
            self.ids = [id for id in self.ids if id not in set(touched)]
        else:
            return [id for _ in range(self.random.randrange(1, 60)) for id in self.insert()]
        return touched

    def transaction(self):
        """One transaction; gives the ids of the rows it touched."""
        touched = []
        self.connection.execute("BEGIN IMMEDIATE")
        for _ in range(self.random.choice([1, 1, 1, 2, 3, 8])):
            if len(self.ids) < 200:
                touched += self.insert()
                continue
            steps = [self.insert, self.remove, self.change, self.change, self.change, self.key]
            if self.random.random() < 0.04:
                steps = [self.bulk]
            touched += self.random.choice(steps)()
        # What is rolled back leaves no trace.
        if self.random.random() < 0.05:
            self.connection.execute("SAVEPOINT s")
            self.connection.execute("DELETE FROM item")
            self.connection.execute("ROLLBACK TO s")
        self.connection.execute("COMMIT")
        return touched
