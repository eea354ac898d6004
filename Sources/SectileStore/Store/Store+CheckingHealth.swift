internal import GRDB
internal import SectileCore
internal import Synchronization

extension Store {
  /// Looks whether the store is as it should be.
  ///
  /// It reads a row, looks where the file is and how much room the disk has, and asks the live
  /// results for their failures. It writes nothing, and does not wait for writers. Where all
  /// readers are busy, and in a store in memory, it waits for its turn, no longer than
  /// ``Health/Limits/readingTime``. Inside a closure of the store it reads nothing.
  ///
  /// ```swift
  /// let health = store.health()
  /// if health.kind != .ok { logger.warning("\(health)") }
  /// // degraded: live results are out of date (1): package (decodingFailed)
  /// ```
  ///
  /// - Parameter limits: From where on something is wrong.
  /// - Returns: The health; of a store that is closed, too.
  /// - Complexity: O(*r*) for *r* live results.
  public func health(within limits: Health.Limits = Health.Limits()) -> Health {
    checkHealth(within: limits)
  }

  /// Looks whether the store is as it should be, without blocking the caller's thread.
  ///
  /// See `health(within:)` for more information.
  public func health(within limits: Health.Limits = Health.Limits()) async -> Health {
    let health = try? await BlockingCalls.shared.run(evenIfCancelled: true) {
      checkHealth(within: limits)
    }
    return health ?? checkHealth(within: limits)
  }

  private func checkHealth(within limits: Health.Limits) -> Health {
    guard !accesses.isClosed else { return Health([.closed]) }
    var reasons: [Health.Reason] = []
    if let problem = fileProblem { reasons.append(problem) }
    reasons += readingProblems(limits)
    // Somebody has closed it meanwhile, which is all there is to say.
    if reasons.contains(.closed) { return Health([.closed]) }
    if let problem = resultsProblem { reasons.append(problem) }
    if let code = monitor.lookFailure.withLock({ $0 }) {
      reasons.append(
        Health.Reason(.behind, "looking for what others have committed failed: \(code)"))
    }
    if let problem = logProblem(limits) { reasons.append(problem) }
    if let problem = diskProblem(limits) { reasons.append(problem) }
    return Health(reasons)
  }

  /// Whether the file is where it was, under one name.
  private var fileProblem: Health.Reason? {
    guard let file else { return nil }
    // What lies beside a file that is only read is its writers' matter.
    if configuration.isReadOnly {
      return file.currentPath == nil ? Health.Reason.fileReplaced : nil
    }
    do throws(StoreError) {
      try file.check(commits.logFiles, of: nil)
      return nil
    } catch {
      guard error.code == .fileLinked else { return Health.Reason.fileReplaced }
      return Health.Reason(
        .fileLinked, "the file has several names (hard links), and is not written")
    }
  }

  /// Whether anything can be read, and what is read of the change log.
  private func readingProblems(_ limits: Health.Limits) -> [Health.Reason] {
    do {
      let reading = BoundedRead<Int?>(try accesses.begin())
      writer.asyncRead { result in
        reading.run { try Self.changeLogRowCount(in: result.get()) }
      }
      guard let answer = try reading.value(within: limits.readingTime) else {
        return [Health.Reason(.busy, "nobody could read within \(limits.readingTime)")]
      }
      let (limit, isTooLarge) = configuration.changeLogRetention.rowCount
        .multipliedReportingOverflow(by: 2)
      let most = limits.changeLogRowCount ?? (isTooLarge ? .max : limit)
      guard let count = answer, count > most else { return [] }
      return [
        Health.Reason(.changeLogGrowing, "the change log has \(count) rows, more than \(most)")
      ]
    } catch {
      if accesses.isClosed { return [.closed] }
      let code = (StoreError.translating(error, file: path) as? StoreError)?.code
      // Whoever asks from inside a closure of the store reads in it.
      if code == .reentrantAccess { return [] }
      let name = code?.description ?? "unknown"
      return [Health.Reason(.unreadable, "nothing can be read: \(name)")]
    }
  }

  /// How many rows the change log has; nil where the file has none.
  private static func changeLogRowCount(in db: Database) throws -> Int? {
    guard let state = try LogState(in: db, tables: { _ in [] }) else { return nil }
    return try Int(clamping: LogTail(of: db).head().sequence - state.pruned.sequence)
  }

  /// How many results a message names at most.
  private static var namedResultsLimit: Int { 5 }

  private var resultsProblem: Health.Reason? {
    let failures = resultsHubs.failures
    guard !failures.isEmpty else { return nil }
    let names = Set(
      failures.map { table, error in
        let code = (error as? any SectileError).map { "\($0.code)" } ?? "unknown"
        return "\(table) (\(code))"
      }
    ).sorted()
    let more = names.count > Self.namedResultsLimit ? ", …" : ""
    return Health.Reason(
      .resultsFailed,
      "live results are out of date (\(failures.count)): "
        + names.prefix(Self.namedResultsLimit).joined(separator: ", ") + more)
  }

  private func logProblem(_ limits: Health.Limits) -> Health.Reason? {
    let count = statistics.logByteCount
    guard count > limits.logByteCount else { return nil }
    let holder = views?.oldest.map { "; held longest: \($0)" } ?? ""
    return Health.Reason(.logGrowing, "SQLite's log has \(count) bytes\(holder)")
  }

  private func diskProblem(_ limits: Health.Limits) -> Health.Reason? {
    guard !configuration.isReadOnly, let place = file?.currentPath,
      let count = FreeSpace.byteCount(beside: place), count < limits.freeByteCount
    else { return nil }
    return Health.Reason(.diskNearlyFull, "\(count) bytes are free on the disk")
  }
}

extension Store.Health.Reason {
  fileprivate static let closed = Self(.closed, "the store is closed")
  fileprivate static let fileReplaced = Self(
    .fileReplaced, "the file or its log was replaced, renamed or deleted while open")
}
