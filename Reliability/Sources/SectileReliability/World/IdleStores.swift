internal import Foundation
internal import Sectile

/// A process that has many stores with live results open, to which nobody writes; then others do.
enum IdleStores {
  /// What it says at the end.
  struct Report: Codable {
    /// How many stores it could open with the descriptors that the system grants.
    var stores = 0
    /// How many threads it had.
    var threads = 0
    /// The processor time that it took while it was idle, in milliseconds.
    var processorMilliseconds = 0
    /// To how many files another connection wrote, and of how many results heard of it by
    /// themselves.
    var written = 0
    var noticed = 0
  }

  /// How many descriptors an open store with results, a change log and a named reader may have.
  private static let descriptors = 12

  /// Opens the stores, is idle for some seconds, and writes to some of their files past them.
  static func run(in folder: String, count: Int, seconds: Int) throws {
    let count = min(count, (descriptorLimit() - 100) / descriptors)
    let files = (0..<count).map { "\(folder)/\($0).sqlite" }
    let stores = try files.map { path in
      let store = try Store.open(at: path, migrations: Model.migrations)
      try store.changeLog.enable()
      try store.write { try $0.save(Entry(id: 1, batch: 1, body: "one")) }
      return store
    }
    let results = try stores.map { try $0.results(of: .byBatch) }
    for one in results { try one.load() }
    // A file to which somebody wrote a while ago is looked at again and again: its commit may be
    // late.
    Thread.sleep(forTimeInterval: 12)
    let start = processorMilliseconds()
    Thread.sleep(forTimeInterval: Double(seconds))
    var report = Report(
      stores: count, threads: try threadCount(),
      processorMilliseconds: processorMilliseconds() - start)

    let versions = results.map(\.version)
    for number in stride(from: 0, to: count, by: 10) {
      try PlainConnection(path: files[number]).run("UPDATE entry SET body = 'two'")
      report.written += 1
    }
    let end = Date().timeIntervalSince1970 + 60
    repeat {
      Thread.sleep(forTimeInterval: 0.01)
      report.noticed = results.indices.count { results[$0].version > versions[$0] }
    } while report.noticed < report.written && Date().timeIntervalSince1970 < end
    for store in stores { try store.close() }
    Child.say(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
  }

  /// Takes as many descriptors as the process may have.
  private static func descriptorLimit() -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(limit.rlim_cur)
  }

  private static func threadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}
