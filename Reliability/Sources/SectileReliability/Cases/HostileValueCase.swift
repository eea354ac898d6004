internal import Sectile
internal import SectileTestSupport

/// Writes values that a column should not hold, and reads them as entities.
struct HostileValueCase: ReliabilityCase {
  let name = "hostile-value"
  let summary = "NUL, invalid UTF-8, NaN, 2^53±1, blobs, wrong storage classes"

  private static let values = [
    "'a' || char(0) || 'b'", "CAST(x'FFFE80' AS TEXT)", "CAST(x'C328' AS TEXT)", "9e999", "-9e999",
    "9007199254740991", "9007199254740992", "9007199254740993", "-9223372036854775808",
    "9223372036854775807", "x''", "x'00'", "zeroblob(3000000)", "1.5", "-0.0", "''",
    "'1' || char(769)", "char(65533)", "hex(zeroblob(100000))", "'NULL'",
  ]

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let store = try Store.inMemory(migrations: Model.migrations)
    let results = try store.results(of: .byBatch)
    try allow { try results.load() }
    for _ in 0..<12 {
      let batch = Self.values.randomElement(using: &random) ?? "0"
      let body = Self.values.randomElement(using: &random) ?? "0"
      let id = Int.random(in: 1...6, using: &random)
      try allow {
        try store.write {
          try $0.execute("INSERT OR REPLACE INTO entry VALUES (\(id), \(batch), \(body))")
        }
      }
      try allow { _ = try store.read { try $0.fetchAll(.byBatch) } }
      try allow { try results.load() }
      try allow { _ = try results.snapshot.materialized() }
      let count = try store.read { try $0.query("SELECT count(*) FROM entry") }[0].values[0]
      if results.numberOfItems > 6 { throw Finding("more than \(count) rows") }
    }
    // The store is usable, and results recover, when what cannot be read is gone.
    try store.write {
      try $0.execute("DELETE FROM entry; INSERT INTO entry VALUES (1, 2, 'three')")
    }
    try results.load()
    let shown = try results.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
    if shown != [Entry(id: 1, batch: 2, body: "three")] {
      throw Finding("results do not recover: \(shown)")
    }
    tally.cycles += 1
    try store.close()
  }

  private func allow(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      guard error is StoreError else { throw Finding("an error of another type: \(error)") }
    }
  }
}
