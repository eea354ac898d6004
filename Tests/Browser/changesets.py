"""Random contents before and after, and the changeset between them, with moves of sections too."""


def longest_run(values):
    """The places of a longest ascending run of distinct values."""
    best = []
    for i, value in enumerate(values):
        before = max((best[j] for j in range(i) if values[j] < value), key=len, default=[])
        best.append(before + [i])
    return set(max(best, key=len, default=[]))


class Contents:
    """Sections with ids of rows: `[(identity, title, [id])]`."""

    def __init__(self, sections):
        self.sections = sections

    @classmethod
    def random(cls, r):
        names = r.sample("abcdefghij", r.randrange(0, 8))
        ids = r.sample(range(60), r.randrange(len(names), 40))
        sections = [(name, f"{name}{r.randrange(2)}", [ids[i]]) for i, name in enumerate(names)]
        for id in ids[len(names):]:
            if sections:
                r.choice(sections)[2].append(id)
        return cls(sections)

    def changed(self, r):
        """Contents like these: some rows and sections are elsewhere, gone, or new."""
        sections = [(name, title if r.random() < 0.8 else title + "'", list(ids)) for name, title, ids in self.sections]
        all_ids = {id for _, _, ids in sections for id in ids}
        for _ in range(r.randrange(4)):
            if sections and r.random() < 0.5:
                sections.insert(r.randrange(len(sections)), sections.pop(r.randrange(len(sections))))
        if sections and r.random() < 0.3:
            sections.pop(r.randrange(len(sections)))
        if r.random() < 0.3:
            name = r.choice([name for name in "abcdefghijklmnop" if all(name != section[0] for section in sections)])
            sections.insert(r.randrange(len(sections) + 1), (name, name, []))
        for _ in range(r.choice([0, 1, 3, 12])):
            if not sections:
                break
            source, target = r.choice(sections)[2], r.choice(sections)[2]
            kind = r.randrange(3)
            if kind == 0 and source:
                id = source.pop(r.randrange(len(source)))
                target.insert(r.randrange(len(target) + 1), id)
            elif kind == 1 and source:
                source.pop(r.randrange(len(source)))
            else:
                id = r.choice([id for id in range(200) if id not in all_ids])
                all_ids.add(id)
                target.insert(r.randrange(len(target) + 1), id)
        return Contents([section for section in sections if section[2]])

    @property
    def json(self):
        return [{"header": {"identity": name, "title": title}, "count": len(ids)} for name, title, ids in self.sections]

    @property
    def ids(self):
        return [id for _, _, ids in self.sections for id in ids]

    def paths(self):
        return {id: (s, i) for s, (_, _, ids) in enumerate(self.sections) for i, id in enumerate(ids)}


def changeset(before, after, version, r):
    """The changeset from one to the other; some rows that stay are said to be updated."""
    path = lambda where: {"section": where[0], "item": where[1]}
    header = lambda section: {"identity": section[0], "title": section[1]}
    old = {section[0]: i for i, section in enumerate(before.sections)}
    new = {section[0]: i for i, section in enumerate(after.sections)}
    staying = [name for name in old if name in new]
    run = longest_run([new[name] for name in staying])
    sections = {
        "deletes": [{"section": i, "header": header(before.sections[i])} for name, i in old.items() if name not in new],
        "inserts": [{"section": i, "header": header(after.sections[i])} for name, i in new.items() if name not in old],
        "moves": [{"source": old[name], "target": new[name], "header": header(after.sections[new[name]])} for i, name in enumerate(staying) if i not in run],
        "updates": [{"source": old[name], "target": new[name], "before": header(before.sections[old[name]]), "header": header(after.sections[new[name]])}
                    for name in staying if before.sections[old[name]][1] != after.sections[new[name]][1]],
    }
    was, now = before.paths(), after.paths()
    rows = {"deletes": [{"path": path(was[id]), "id": id} for id in was if id not in now],
            "inserts": [{"path": path(now[id]), "id": id} for id in now if id not in was], "moves": [], "updates": []}
    stationary = set()
    for name in staying:
        ids = [id for id in before.sections[old[name]][2] if id in now and now[id][0] == new[name]]
        run = longest_run([now[id][1] for id in ids])
        stationary |= {ids[i] for i in run}
    updated = set()
    for id in was:
        if id not in now:
            continue
        is_updated = r.random() < 0.15
        if is_updated:
            updated.add(id)
        if id not in stationary:
            rows["moves"].append({"source": path(was[id]), "target": path(now[id]), "id": id, "contentChanged": is_updated})
        elif is_updated:
            rows["updates"].append({"source": path(was[id]), "target": path(now[id]), "id": id})
    return {"format": 2, "sourceVersion": version, "targetVersion": version + 1, "sections": sections, "rows": rows}, updated
