internal import ArgumentParser
internal import Sectile

/// How a file that is only read is opened, alike in every subcommand that reads one.
struct OpeningOptions: ParsableArguments {
  @Flag(
    name: .customLong("immutable"),
    help:
      "Take the file for one that nobody changes, as on a medium that cannot be written: it is not locked, and a log beside it is not read."
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
    try Self.explaining {
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
    try Self.explaining {
      try Store.inspecting(
        path, isImmutable: isImmutable, polling: nil, busyTimeout: busyTimeout)
    }
  }

  /// Says in place of a hint for programs what options there are.
  static func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.isOfUnusableLog {
      throw CommandFailure(.noInput, error.message, hint: unusableLogHint)
    }
  }

  /// What to do about a log that cannot be used.
  static let unusableLogHint =
    "Make the file's folder writable, or copy the file with its -wal or -journal; "
    + "if nobody changes it, add --immutable."
}
