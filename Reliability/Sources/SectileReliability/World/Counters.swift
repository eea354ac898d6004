internal import Foundation
internal import Sectile

/// Numbers that several processes count up, a process each, with a checkpoint nearly every commit.
enum Counters {
  /// How many commits a process makes.
  static let commitCount = 1_200
  /// How many pages a process writes to in turn.
  static let width = 8

  /// Counts as one of the processes; says `done` at the end, and else what it missed.
  static func count(at path: String, as seed: UInt64) throws {
    let number = Int(seed % 8)
    let store = try open(path, automaticCheckpointPageCount: 1 + number % 4)
    for turn in 0..<commitCount {
      let page = number * width + turn % width + 1
      let expected = Int64(turn / width)
      let missed: StoredValue? = try store.write { transaction in
        let found = try transaction.query("SELECT n FROM page WHERE id = ?", page).first?.values[0]
        try transaction.execute("UPDATE page SET n = n + 1 WHERE id = ?", page)
        return found == .integer(expected) ? nil : found
      }
      if let missed {
        return Child.say("commit \(turn) of process \(number) found \(missed), not \(expected)")
      }
      if turn % 3 == number % 3 { _ = try store.checkpoint(.passive) }
    }
    try store.close()
    Child.say("done")
  }

  static func open(_ path: String, automaticCheckpointPageCount: Int = 0) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    configuration.synchronous = .off
    configuration.automaticCheckpointPageCount = automaticCheckpointPageCount
    configuration.busyTimeout = .seconds(120)
    return try Store.open(at: path, configuration: configuration)
  }
}
