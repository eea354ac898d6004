"""Who writes: a thread at each machine, and one at the hub, past Sectile. What was answered is remembered."""

import collections
import random
import threading
import time

from hub import Failure

STATES = ["waiting", "travelling", "delivered"]


class Traffic(threading.Thread):
    """Writes again and again, while it is `going`."""

    def __init__(self, name, seed, pause):
        super().__init__(daemon=True)
        self.random = random.Random(f"{seed} {name}")
        self.pause = pause
        self.counts = collections.Counter()
        self.going, self.idle = threading.Event(), threading.Event()

    def run(self):
        while True:
            self.idle.set()
            self.going.wait()
            self.idle.clear()
            # It may have been told to pause meanwhile.
            if self.going.is_set():
                self.write()
                time.sleep(self.random.uniform(0, 2 * self.pause))

    def pause_now(self):
        """Has it write no more, and waits until it has the answer that it waits for."""
        self.going.clear()
        time.sleep(0.01)
        if not self.idle.wait(90):
            raise Failure("a write has no end")

    def count(self, status, text, is_offline):
        """Counts an answer; returns what it is."""
        kinds = {200: "kept offline" if is_offline else "acked", 409: "refused", 503: "unavailable", 0: "unanswered", -1: "away"}
        kind = kinds.get(status) or f"answered {status}: {text[:200]}"
        self.counts[kind] += 1
        return kind


class MachineTraffic(Traffic):
    """Writes at a machine: parcels of its own, of which it knows what became of them, and some that all write to."""

    def __init__(self, machine, place, parcels, seed, pause):
        super().__init__(machine.name, seed, pause)
        self.machine, self.parcels = machine, parcels
        self.next_id = 1_000_000 * (place + 1)
        # Its parcels: what each may be, (state, weight), None for gone. More than one where an answer is missing.
        self.known = {}
        self.uncertain = set()
        self.is_offline = False

    def write(self):
        roll, pick = self.random.random(), self.random
        # One of fifty breaks a rule of the hub.
        values = (pick.choice(STATES), 0 if pick.random() < 0.02 else pick.randint(1, 5000))
        body = dict(zip(("state", "weight"), values))
        mine = [id for id, possible in self.known.items() if possible != {None}]
        if len(mine) < 20 or (roll < 0.4 and len(mine) < 300):
            id, self.next_id = self.next_id, self.next_id + 1
            self.known[id] = {None}
            self.send("POST", "", body | {"id": id, "depot": pick.randint(1, 12)}, id, values)
        elif roll < 0.6:
            id = pick.choice(mine)
            self.send("PATCH", f"/{id}", body, id, values)
        elif roll < 0.75:
            id = pick.choice(mine)
            self.send("DELETE", f"/{id}", None, id, None)
        else:
            self.send("PATCH", f"/{pick.randint(1, self.parcels)}", body, None, None)

    def send(self, method, path, body, id, values):
        is_offline = self.is_offline or self.random.random() < 0.1
        status, text = self.machine.ask(method, ("/offline/parcels" if is_offline else "/parcels") + path, body)
        self.count(status, text, is_offline)
        if id is None or status in (409, -1):
            return
        # What is kept may be performed after a later one, or refused.
        if status != 200 or is_offline:
            self.uncertain.add(id)
        self.known[id] = self.known[id] | {values} if id in self.uncertain else {values}

    def check(self, rows):
        """Compares its parcels with the hub's: those that are not what they may be. All that was sent is decided."""
        wrong = [
            f"{self.machine.name}: parcel {id} is {rows.get(id)}, and may be {possible}"
            for id, possible in self.known.items() if rows.get(id) not in possible]
        self.known = {id: {rows[id]} for id in self.known if id in rows}
        self.uncertain = set()
        return wrong


class HubTraffic(Traffic):
    """Writes at the hub with SQL, as any other program does."""

    def __init__(self, hub, parcels, seed, pause):
        super().__init__("hub", seed, pause)
        self.hub, self.parcels = hub, parcels

    def write(self):
        done = self.hub.sql(self.statement(), check=False)
        self.counts["by psql" if done is not None else "psql failed"] += 1

    def statement(self):
        pick, roll = self.random, self.random.random()
        state, id = pick.choice(STATES), pick.randint(1, self.parcels)
        if roll < 0.1:
            return f"UPDATE depot SET name = 'depot {pick.randint(1, 10**9)}' WHERE id = {pick.randint(1, 12)}"
        if roll < 0.3:
            return f"DELETE FROM parcel WHERE id = {id}"
        if roll < 0.5:
            return f"""INSERT INTO parcel VALUES ({id}, {pick.randint(1, 12)}, '{state}', {pick.randint(1, 5000)})
                       ON CONFLICT (id) DO UPDATE SET weight = excluded.weight"""
        if roll < 0.6:
            return f"UPDATE parcel SET weight = weight % 5000 + 1 WHERE id BETWEEN {id} AND {id + 100}"
        return f"BEGIN; UPDATE parcel SET state = '{state}' WHERE id = {id}; UPDATE parcel SET weight = 7 WHERE id = {id + 1}; COMMIT"
