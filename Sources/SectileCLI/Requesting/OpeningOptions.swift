internal import ArgumentParser
internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// How a file that is only read is opened, alike in every subcommand that reads one.
struct OpeningOptions: ParsableArguments {
  @Flag(
    name: .customLong("immutable"),
    help:
      "Treat the file as one that nobody changes, as on a read-only medium. It is not locked, and a log beside it is not read."
  )
  var isImmutable = false

  init() {}

  /// Creates options that were not given as arguments.
  init(isImmutable: Bool) {
    self.isImmutable = isImmutable
  }

  /// Opens a file for reading.
  ///
  /// - Parameter path: The file's path.
  /// - Returns: The connection.
  /// - Throws: ``CommandFailure`` and ``StoreError``.
  func connection(to path: String) throws -> InspectionConnection {
    if isImmutable { try Self.noteUnreadLogs(of: path) }
    return try Self.explaining(path) {
      try InspectionConnection(path: path, isImmutable: isImmutable)
    }
  }

  /// Opens a file to follow it; see ``Store/inspecting(_:isImmutable:polling:busyTimeout:)``.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - busyTimeout: How long to wait for another connection's lock.
  /// - Returns: The store, which looks for changes only when it is told to.
  /// - Throws: ``CommandFailure`` and ``StoreError``.
  func store(
    at path: String, busyTimeout: Duration = StoreConfiguration().busyTimeout
  ) throws -> Store {
    if isImmutable { try Self.noteUnreadLogs(of: path) }
    return try Self.explaining(path) {
      try Store.inspecting(
        path, isImmutable: isImmutable, polling: nil, busyTimeout: busyTimeout)
    }
  }

  /// Says in place of a hint for programs what options there are.
  static func explaining<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.isOfUnusableLog {
      let copying = "Make the file's folder writable, or copy the file with its -wal or -journal"
      throw CommandFailure(
        .noInput, error.message,
        hint: unreadLogs(of: path).isEmpty
          ? copying + "; if nobody changes it, add --immutable." : copying + ".")
    }
  }

  /// Says of a file that is taken for unchanging which logs beside it are left out.
  static func noteUnreadLogs(of path: String) throws {
    let errors = Output.standardError()
    let name = TerminalText.escaped(path)
    for log in unreadLogs(of: path) {
      try errors.line(
        "Note: the log beside \(name) is left out: \(TerminalText.escaped(log)) is not read.")
    }
    try errors.flush()
  }

  /// The logs beside a file that hold something.
  private static func unreadLogs(of path: String) -> [String] {
    ["-wal", "-journal"].map { path + $0 }.filter { FileIdentity($0)?.isEmpty == false }
  }
}
