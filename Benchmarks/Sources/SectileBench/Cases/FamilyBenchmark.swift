internal import CBaseline
internal import Sectile

/// Thousands of lists that differ in one value: the parcels of each owner.
enum FamilyBenchmark: Benchmark {
  static let name = "family"
  static let summary = "commit to a table with a list for each fifty of its rows"
  static let goals = ["J6", "J7", "J8"]
  static let storages = [Storage.memory]

  /// How many rows a member has.
  private static let rowsOfMember = 50
  private static let commits = 500

  private struct Parcel: Entity {
    var id: Int64
    var owner: Int64
    var weight: Int

    static let schema = EntitySchema<Parcel>(
      "parcel", primaryKey: "id", attributes: .init("id", \.id), .init("owner", \.owner),
      .init("weight", \.weight))

    init(row: inout RowReader) throws {
      id = try row.next()
      owner = try row.next()
      weight = try row.next()
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(owner)
      try row.append(weight)
    }
  }

  private static func store(_ bench: Bench) throws -> Store {
    let store = try World.emptyStore(
      bench.storage, in: bench.folder,
      schema: [
        "CREATE TABLE parcel (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, weight INTEGER NOT NULL)",
        "CREATE INDEX parcel_on_owner_weight ON parcel (owner, weight)",
      ])
    // The last hundred rows are of nobody who has a list.
    try store.write {
      try $0.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO parcel SELECT i, iif(i > ?1 - 100, 0, (i - 1) / ?2 + 1), i * 7919 % 1000 FROM n
        """, bench.size, rowsOfMember)
    }
    return store
  }

  static func run(_ bench: Bench) throws {
    let request = FetchRequest<Parcel>().sort(by: \.weight)
    let memberCount = (bench.size - 100) / rowsOfMember
    let (plain, single, shared) = (try store(bench), try store(bench), try store(bench))

    var before = MemoryBenchmark.usedMemory
    let all = try single.results(of: request)
    try all.load()
    let memoryOfAll = MemoryBenchmark.usedMemory - before
    try verify(all.numberOfItems == bench.size, "the list of all lacks rows")

    before = MemoryBenchmark.usedMemory
    let family = try shared.family(of: request, by: \.owner)
    let (loading, members) = try Stopwatch.time {
      try (1...memberCount).map { owner in
        let results = try family.results(for: Int64(owner))
        try results.load()
        return results
      }
    }
    let memory = MemoryBenchmark.usedMemory - before - memoryOfAll
    try verify(
      members.allSatisfy { $0.numberOfItems == rowsOfMember }, "a member lacks rows")
    bench.reportTime("made and loaded, a member", [loading / memberCount])
    bench.report(
      "memory beyond one list, a member", [Double(memory) / Double(memberCount)], .bytes,
      goal: "J6")

    var turn = 0
    func commit(_ store: Store, _ row: (Int) -> Int) throws -> Sample {
      let rows = (0..<commits).map { row(turn + $0) }
      turn += commits
      let (time, _) = try Stopwatch.time {
        for id in rows {
          try store.write {
            try $0.execute("UPDATE parcel SET weight = weight + 1 WHERE id = ?", id)
          }
        }
      }
      return time / commits
    }
    let versions = members.map(\.version)
    let sides: [((Int) -> Int, name: String, goal: String)] = [
      ({ $0 * 37 % (memberCount * rowsOfMember) + 1 }, "that concerns one", "J7"),
      ({ bench.size - $0 % 100 }, "that concerns none", "J8"),
    ]
    for (row, name, goal) in sides {
      let times = try bench.interleave([{ try commit(shared, row) }, { try commit(plain, row) }])
      bench.reportTime(
        "added to a commit \(name)", zip(times[0], times[1]).map { $0 - $1 }, goal: goal)
    }
    try verify(
      zip(members, versions).contains { $0.version > $1 }, "no member heard of its rows")
  }
}
