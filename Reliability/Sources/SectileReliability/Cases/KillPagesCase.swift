internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Kills a process that imports many rows in one transaction, or stores the pages of a remote list.
struct KillPagesCase: ReliabilityCase {
  let name = "kill-pages"
  let summary = "SIGKILL at the k-th write of an import, or of a persistent list's pages"

  /// How many rows one import has.
  static let importSize = 3_000

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let isImport = seed % 2 == 0
    let folder = try Folder()
    var imports = 0
    for _ in 0..<3 {
      let child = try ChildProcess(
        workload: isImport ? "import" : "pages", path: folder.database, seed: seed,
        killAt: Int.random(in: 1...250, using: &random), isTorn: random.chance(0.4))
      let lines = child.lines()
      guard child.status == SIGKILL || child.status == 0 else {
        throw Finding("the child ended with \(child.status): \(lines.last ?? "")")
      }
      tally.kills += child.status == SIGKILL ? 1 : 0
      tally.cycles += 1
      imports = lines.compactMap { Int($0) }.last ?? imports
      let size = isImport ? Self.importSize : EntryPages.pageSize
      try check(folder, size: size, atLeast: isImport ? imports : 0)
    }
    guard !isImport else { return }
    let store = try Store.open(at: folder.database, migrations: Model.migrations)
    try EntryPages.loadAll(into: store)
    try store.close()
    try check(folder, size: EntryPages.pageSize, atLeast: EntryPages.pageCount)
  }

  private func check(_ folder: Folder, size: Int, atLeast: Int) throws {
    let store = try Store.open(at: folder.database, migrations: Model.migrations)
    defer { try? store.close() }
    let (entries, lines) = try store.read { transaction in
      (
        try transaction.fetchAll(FetchRequest<Entry>().sort(by: \.id)),
        try transaction.query("PRAGMA integrity_check").map { $0.values[0] }
      )
    }
    if lines != [.text("ok")] { throw Finding("integrity_check: \(lines)") }
    if entries.count % size != 0 || entries.count < atLeast * size {
      throw Finding("\(entries.count) rows are there, in lots of \(size), \(atLeast) acknowledged")
    }
    if entries != entries.indices.map(EntryPages.entry) {
      throw Finding("\(entries.count) rows are there, but not the first ones")
    }
  }
}
