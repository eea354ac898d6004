internal import Foundation
internal import Sectile

/// A process that follows a file to which nobody writes, as a named reader of its change log.
enum IdleReader {
  /// What it says at the end.
  struct Report: Codable {
    /// How often its results and its store read everything.
    var resyncs = 0
    /// How many changesets came.
    var changesets = 0
    /// How often its results followed what the log says that others did.
    var logged = 0
    /// The processor time that it took while it was idle, in milliseconds.
    var processorMilliseconds = 0
  }

  /// Follows, and renews its lease as often as one likes, until the time has passed.
  static func run(at path: String, name: String, seconds: Int) throws {
    let store = try Store.open(at: path)
    let results = try store.results(of: .byBatch)
    try results.load()
    // What the other one does while it opens the file is not idle.
    Child.say("open")
    _ = readLine()
    let start = processorMilliseconds()
    let (version, before) = (results.version, results.statistics)
    let end = Date().timeIntervalSince1970 + Double(seconds)
    while Date().timeIntervalSince1970 < end {
      guard let token = results.token else {
        throw Finding("results of a file with a log have no token")
      }
      if let reason = try store.changeLog.register(name, at: token) {
        throw Finding("a reader is not registered: \(reason.name)")
      }
      Thread.sleep(forTimeInterval: 1)
    }
    try store.checkForExternalChanges()
    let statistics = results.statistics
    let report = Report(
      resyncs: statistics.resyncCount + store.statistics.resyncCount,
      changesets: results.version - version,
      logged: statistics.loggedCount - before.loggedCount,
      processorMilliseconds: processorMilliseconds() - start)
    Child.say(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    _ = readLine()
    try store.close()
  }
}
