internal import Dispatch
internal import Sectile
internal import Synchronization

/// Runs a command for each change of a watch after its first load, one at a time and in order.
///
/// The change goes to the command's standard input, as ``JSONReporter`` would write it. A command
/// that fails is complained of, and the watch goes on.
final class CommandReporter: WatchReporting {
  /// How long a command may take to end that was asked to.
  private static let patience = DispatchTimeInterval.seconds(2)

  private let command: String
  private let reading: ItemReading

  // MARK: - Mutable state
  //
  // - `request`: guarded by its mutex.
  // - `child`: guarded by its mutex, under which it is also signalled, so that its number is its
  //   own.
  private let request = Mutex<WatchedRequest?>(nil)
  private let child = Mutex<ChildProcess?>(nil)

  init(command: String, reading: ItemReading) {
    self.command = command
    self.reading = reading
  }

  /// Ends the command that runs: asks it to, and does not wait for long.
  func end() {
    child.withLock { $0?.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      // None is started any more: one that is there was asked.
      self?.child.withLock { $0?.kill() }
    }
  }

  func begin(_ request: WatchedRequest, _ results: WatchedResults) throws {
    self.request.withLock { $0 = request }
  }

  func changed(_ changes: WatchedChanges, isFirstLoad: Bool, _ results: WatchedResults) throws {
    guard !isFirstLoad, !reading.stop.hasStopped, let request = request.withLock({ $0 })
    else { return }
    let (process, input) = try ChildProcess.shell(
      command, environment: Self.environment(of: changes, request, results))
    child.withLock { $0 = process }
    if reading.stop.hasStopped { end() }
    do {
      defer { input.close() }
      try ChangesetJSON(columns: request.columns).write(
        changes, head: JSONReporter.head("partial"), to: input.output, reading: reading)
    } catch is ClosedPipe {
      // A command need not read what it is given.
    } catch _ where reading.stop.hasStopped {
      // Nor does it get the rest where it is asked to end.
    }
    process.awaitEnd()
    let status = child.withLock { child in
      defer { child = nil }
      return process.reap()
    }
    if !status.isSuccess && !reading.stop.hasStopped { try complain(status) }
  }

  func differs(by changes: WatchedChanges, _ results: WatchedResults) throws {
    try changed(changes, isFirstLoad: false, results)
  }

  func schemaChanged(to request: WatchedRequest?, restarts: Bool) throws {}
  func willLoad(at version: Int) throws {}
  func finished(_ results: WatchedResults) throws {}
  func failed(_ error: any Error) throws {}

  private func complain(_ status: ChildProcess.Status) throws {
    let errors = Output.standardError()
    try errors.line("The command of --exec \(status); the watch goes on.")
    try errors.flush()
  }

  private static func environment(
    of changes: WatchedChanges, _ request: WatchedRequest, _ results: WatchedResults
  ) -> [String: String] {
    [
      "SECTILE_EVENT": "partial", "SECTILE_FILE": request.file, "SECTILE_TABLE": request.table,
      "SECTILE_SOURCE_VERSION": "\(changes.sourceVersion)",
      "SECTILE_TARGET_VERSION": "\(changes.targetVersion)",
      "SECTILE_SECTIONS": "\(results.numberOfSections)",
      "SECTILE_ROWS": "\(results.numberOfItems)", "SECTILE_INSERTS": "\(changes.inserts.count)",
      "SECTILE_DELETES": "\(changes.deletes.count)", "SECTILE_MOVES": "\(changes.moves.count)",
      "SECTILE_UPDATES": "\(changes.updates.count)",
    ]
  }
}
