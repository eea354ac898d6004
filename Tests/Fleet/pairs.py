"""Writes that leave the sum of all rows as it is: parcels come in pairs, and each pair weighs the same at any time.

The parcels 2n - 1 and 2n are pair n. A transaction gives one of them a weight that no other write gives, its *mark*, and the
other what is left. So half of a transaction shows wherever it is seen, and the hub's journal of marks tells how often each
write was performed.
"""

import collections
import time

from traffic import STATES, Traffic

# What a pair weighs.
WHOLE = 10**12
# Marks of writers are between these; the first weights are smaller, and those of large transactions larger.
MARKS = (10**9, 10**11)
LARGE = 2 * 10**11
# Where pairs go that are moved.
FAR = 10**6

FIRST_WEIGHT = f"CASE WHEN id % 2 = 1 THEN id ELSE {WHOLE} - id + 1 END"

# The hub keeps by itself which marks were written, each time, whatever Sectile believes.
JOURNAL = f"""
    CREATE UNLOGGED TABLE journal (mark bigint NOT NULL);
    GRANT INSERT ON journal TO public;
    CREATE FUNCTION note_mark() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO public.journal VALUES (NEW.weight); RETURN NULL; END';
    CREATE TRIGGER note_new AFTER INSERT ON parcel FOR EACH ROW
      WHEN (NEW.weight BETWEEN {MARKS[0]} AND {MARKS[1]}) EXECUTE FUNCTION note_mark();
    CREATE TRIGGER note_changed AFTER UPDATE OF weight ON parcel FOR EACH ROW
      WHEN (NEW.weight BETWEEN {MARKS[0]} AND {MARKS[1]}) EXECUTE FUNCTION note_mark()"""

# The sum of a replica, and which pairs are not whole.
BALANCE = f"""
    SELECT sum(weight), count(*), total(weight <> {WHOLE} OR parts <> 2)
    FROM (SELECT sum(weight) AS weight, count(*) AS parts FROM parcel GROUP BY (id + 1) / 2)"""

# The marks of what the outbox has and the hub has refused.
PARKED = f"""
    SELECT value FROM sectile_outbox JOIN sectile_outbox_value ON entry = number
    WHERE state = 3 AND part = 'set' AND name = 'weight' AND value < {MARKS[1]}"""


def weights(mark):
    return f"CASE WHEN id % 2 = 1 THEN {mark} ELSE {WHOLE} - {mark} END"


def large(number, first, last, state):
    """A transaction that gives other weights to all pairs from one to another, and to some of them a state."""
    base = LARGE + number * FAR
    return f"""
        UPDATE parcel SET state = CASE WHEN id % 5 = {number % 5} THEN '{state}' ELSE state END,
          weight = CASE WHEN id % 2 = 1 THEN {base} + id ELSE {WHOLE} - {base} - id + 1 END
        WHERE id BETWEEN {2 * first - 1} AND {2 * last}"""


class PairTraffic(Traffic):
    """Has marks of its own, and remembers what was answered to each."""

    def __init__(self, name, place, pairs, seed, pause):
        super().__init__(name, seed, pause)
        self.name, self.pairs = name, pairs
        self.mark, self.slowest = MARKS[0] * (place + 1), 0
        self.answers = {}

    def next_mark(self):
        self.mark += 1
        return self.mark

    def pick_pair(self):
        """One of all, or one of a few that everybody writes to."""
        return self.random.randint(1, self.pairs if self.random.random() < 0.6 else 20)

    def lost(self, performed, parked):
        """Compares answers with how often each mark was performed, and which ones were parked: what does not fit."""
        wrong = []
        for mark, answer in self.answers.items():
            times, refused = performed[mark], mark in parked
            fits = {
                "acked": times == 1, "by psql": times == 1,
                "kept offline": times + refused == 1,
                "refused": times == 0, "away": times == 0, "psql failed": times == 0,
            }.get(answer, times + refused <= 1)
            if not fits:
                wrong.append(f"{self.name}: {mark} was {answer}, and {times} times performed{', and parked' if refused else ''}")
        return wrong


class MachinePairTraffic(PairTraffic):
    """Writes at a machine, with `Replica.write` or `Replica.enqueue`."""

    def __init__(self, machine, place, pairs, seed, pause):
        super().__init__(machine.name, place, pairs, seed, pause)
        self.machine = machine

    def write(self):
        # One of fifty breaks a rule of the hub: weights are above zero.
        mark = self.next_mark() * (-1 if self.random.random() < 0.02 else 1)
        pair, is_offline = self.pick_pair(), self.random.random() < 0.3
        begin = time.monotonic()
        status, text = self.machine.ask("PATCH", "/offline/parcels" if is_offline else "/parcels", [
            {"id": 2 * pair - 1, "weight": mark, "state": self.random.choice(STATES)}, {"id": 2 * pair, "weight": WHOLE - mark}])
        self.slowest = max(self.slowest, time.monotonic() - begin)
        if status == 0 and "timed out" in text:
            status, text = "nothing", "in 20 s"
        self.answers[mark] = self.count(status, text, is_offline)


class HubPairTraffic(PairTraffic):
    """Writes at the hub with SQL: changes pairs, puts them anew, moves them to other keys and back."""

    def __init__(self, hub, place, pairs, seed, pause):
        super().__init__("psql", place, pairs, seed, pause)
        self.hub = hub

    def write(self):
        mark, roll = self.next_mark(), self.random.random()
        done = self.hub.sql(self.statement(mark, self.pick_pair(), roll), check=False)
        kind = "by psql" if done is not None else "psql failed"
        self.counts[kind] += 1
        if roll < 0.8:
            self.answers[mark] = kind

    def statement(self, mark, pair, roll):
        state, keys = self.random.choice(STATES), f"({2 * pair - 1}, {2 * pair})"
        if roll < 0.5:
            return f"UPDATE parcel SET state = '{state}', weight = {weights(mark)} WHERE id % {FAR} IN {keys}"
        if roll < 0.8:
            return f"""
                BEGIN; DELETE FROM parcel WHERE id % {FAR} IN {keys};
                INSERT INTO parcel SELECT id, 1 + id % 12, '{state}', {weights(mark)} FROM unnest(ARRAY[{keys[1:-1]}]) AS id; COMMIT"""
        return f"UPDATE parcel SET id = id + {FAR} * CASE WHEN id < {FAR} THEN 1 ELSE -1 END WHERE id % {FAR} IN {keys}"


def performed(hub):
    """How often each mark was written, as the hub's journal has it."""
    lines = hub.sql("SELECT mark, count(*) FROM journal GROUP BY mark").split()
    return collections.Counter({int(mark): int(count) for mark, count in (line.split("|") for line in lines)})
