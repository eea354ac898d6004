internal import CFaultVFS
internal import Foundation
internal import Sectile

/// What a process does that is killed, or that writes beside others.
struct Child {
  let workload: String
  let path: String
  let seed: UInt64
  /// How long it works, where that is said.
  var seconds = 0
  /// After how many pages of the log it copies them, where that is said.
  var checkpointPages = 0

  func run(killAt: Int, isTorn: Bool) throws {
    if killAt > 0 {
      fault_watch(path)
      // A torn end needs a write; whole ones happen before any change.
      fault_plan(
        Int32(isTorn ? FAULT_WRITE : FAULT_CHANGES), killAt,
        Int32(isTorn ? FAULT_TORN_KILL : FAULT_KILL), 0)
    }
    switch workload {
    case "migrations": try migrate()
    case "foreign": try writeForeign()
    case "import": try importRows()
    case "stepped": try ResetLog.checkpointInSteps(at: path)
    case "reorder": try ReorderedList.reorder(at: path, seed: seed, seconds: seconds)
    case "visit": try PlainConnection(path: path).run("SELECT count(*) FROM note")
    case "counter": try Counters.count(at: path, as: seed)
    case let name where name.hasPrefix("log-"):
      var child = LogChild(path: path, seed: seed, checkpointPages: checkpointPages)
      try child.run(name)
    case let name where name.hasPrefix("order-"):
      try CommitOrder.write(
        to: path, as: Int(name.dropFirst(6)) ?? 0, seed: seed, seconds: seconds)
    case let name where name.hasPrefix("idle-"):
      try IdleReader.run(at: path, name: name, seconds: seconds)
    case let name where name.hasPrefix("stores-"):
      try IdleStores.run(in: path, count: Int(name.dropFirst(7)) ?? 0, seconds: seconds)
    case "pages":
      let store = try Store.open(at: path, migrations: Model.migrations)
      try EntryPages.loadAll(into: store)
      try store.close()
    default: try write()
    }
  }

  private func write() throws {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    configuration.automaticCheckpointPageCount = 40
    let store = try Store.open(
      at: path, configuration: configuration, migrations: Model.migrations)
    var model = Model(
      seed: seed, bulk: workload == "bulk" ? 2_000 : 120, after: try Model.number(in: store))
    for turn in 1...60 {
      try model.write(to: store)
      model.advance()
      say("\(model.number)")
      if workload == "checkpoint" && turn % 3 == 0 { try store.checkpoint(.truncate) }
      if workload == "backup" && turn % 4 == 0 {
        let copy = (path as NSString).deletingLastPathComponent + "/copy.sqlite"
        // What an earlier process left beside it.
        for suffix in ["-wal", "-journal"] {
          try? FileManager.default.removeItem(atPath: copy + suffix)
        }
        try store.backup(to: copy, replacing: true)
      }
    }
    try store.close()
  }

  private func importRows() throws {
    let store = try Store.open(at: path, migrations: Model.migrations)
    let size = KillPagesCase.importSize
    for _ in 0..<5 {
      let count = try store.read { try $0.fetchCount(FetchRequest<Entry>()) }
      try store.write {
        _ = try $0.insert(contentsOf: (count..<count + size).map(EntryPages.entry))
      }
      say("\(count / size + 1)")
    }
    try store.close()
  }

  private func migrate() throws {
    let files = (1...30).map { number in
      let version = String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
      return Migrations.File(
        name: "V\(version)_create_table\(number).sql",
        sql: "CREATE TABLE t_\(number) (id INTEGER PRIMARY KEY, v TEXT);"
          + "INSERT INTO t_\(number) VALUES (1, hex(randomblob(400)))")
    }
    let store = try Store.open(at: path, migrations: .files(files))
    say("30")
    try store.close()
  }

  private func writeForeign() throws {
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .seconds(30)
    configuration.synchronous = .off
    let store = try Store.open(
      at: path, configuration: configuration, migrations: Model.migrations)
    var model = Model(seed: seed)
    for _ in 0..<40 {
      try store.write { transaction in
        for step in model.steps {
          switch step {
          case .save(let entry): try transaction.save(entry)
          case .delete(let id): try transaction.delete(Entry.self, key: id)
          }
        }
      }
      model.advance()
      say("\(model.number)")
    }
    try store.close()
  }

  /// Says a line at once: what was said was acknowledged.
  private func say(_ line: String) { Self.say(line) }

  /// Says a line at once.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
