internal import Foundation
internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// A file, a folder of migrations, and what is to be done with them.
struct MigrationRun {
  let file: String
  let migrations: Migrations
  /// The version of the last file to apply; nil for all.
  let version: Int64?
  let isJSON: Bool
  let output: Output

  private typealias Step = (name: String, time: Duration)

  private var migrator: Migrator { Migrator(migrations) }
  private var exists: Bool { FileManager.default.fileExists(atPath: file) }

  /// Applies what is pending.
  func apply() throws {
    // A file that needs nothing, or is refused, is not opened for writing: that would turn it to
    // WAL.
    let before = try readStatus()
    let pending = try checkedPending(of: before)
    guard !pending.isEmpty else {
      return try finish([], [], isDryRun: false, status: before)
    }
    let store = try Store.open(at: file)
    let steps = try apply(to: store) { "\($0) … applied in \($1)" }
    let after = try migrator.status(of: store)
    try store.close()
    try finish(steps, recorded(by: steps, before, after), isDryRun: false, status: after)
  }

  /// Applies what is pending to a copy, so that everything shows that would go wrong.
  func tryOnCopy() throws {
    let before = try readStatus()
    let pending = try checkedPending(of: before)
    guard !pending.isEmpty else {
      return try finish([], [], isDryRun: true, status: before)
    }
    let folder = try ScratchFolder()
    defer { folder.remove() }
    let copy = folder.path("copy.sqlite")
    var size = "an empty file"
    if exists {
      let report = try InspectionConnection(path: file).backup(to: copy)
      size = "a copy of \(SizeText.text(kibibytes: (report.size + 1023) / 1024))"
    }
    let store = try Store.open(at: copy)
    let steps = try apply(to: store) { "\($0) … would be applied, in \($1)" }
    let after = try migrator.status(of: store)
    try store.close()
    try finish(steps, recorded(by: steps, before, after), isDryRun: true, status: after)
    if !isJSON {
      let name = TerminalText.escaped(file)
      try output.line(
        "Tried on \(size), which is gone; "
          + (exists ? "\(name) is as it was." : "\(name) was not created."))
    }
  }

  /// Tells what was applied, what is pending and what is wrong.
  func tellStatus() throws {
    let status = try readStatus()
    if isJSON {
      try output.line(document(of: status).text)
    } else {
      try writeTable(of: status)
    }
    guard let problem = status.problems.first else { return }
    // What is shown already must not be lost behind the failure.
    try output.flush()
    let count = status.problems.count
    throw CommandFailure(
      .failed, count == 1 ? problem.message : "\(count) problems; the first: \(problem.message)",
      hint: problem.hint)
  }

  // MARK: - Applying

  private func readStatus() throws -> MigrationStatus {
    // Without a file everything is pending, as it is in an empty store.
    let store = exists ? try Store.inspecting(file, polling: nil) : try Store.inMemory()
    let status = try migrator.status(of: store)
    try store.close()
    return status
  }

  private func checkedPending(of status: MigrationStatus) throws -> [MigrationStatus.Entry] {
    if let problem = status.problems.first { throw problem }
    let pending = status.entries.filter { $0.appliedAt == nil }
    guard let version else { return pending }
    // The migrator's own refusal of a version that cannot be reached.
    try migrator.checkTarget(version, in: status)
    return pending.filter { $0.version <= version }
  }

  private func apply(
    to store: Store, line: (_ name: String, _ time: String) -> String
  ) throws -> [Step] {
    var steps: [Step] = []
    var failure: (any Error)?
    var start = ContinuousClock.now
    // Each file is told when it is done. Another process may have been quicker with some.
    try migrator.apply(to: store, through: version) { name in
      let end = ContinuousClock.now
      steps.append((name, end - start))
      start = end
      if isJSON { return }
      do {
        try output.line(
          line(TerminalText.escaped(name), DurationText.text(steps[steps.count - 1].time)))
        try output.flush()
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return steps
  }

  /// The files that came into the ledger without being run, as those of a baseline.
  private func recorded(
    by steps: [Step], _ before: MigrationStatus, _ after: MigrationStatus
  ) -> [String] {
    guard let last = migrations.baselineVersion, before.applied.isEmpty else { return [] }
    return after.applied.filter { $0.version <= last }.map(\.name)
      .filter { name in !steps.contains { $0.name == name } }
  }

  // MARK: - Telling

  private func finish(
    _ steps: [Step], _ recorded: [String], isDryRun: Bool, status: MigrationStatus
  ) throws {
    if isJSON {
      return try output.line(document(of: steps, recorded, isDryRun: isDryRun, status: status).text)
    }
    for file in recorded {
      try output.line(
        "\(TerminalText.escaped(file)) … \(isDryRun ? "would be recorded" : "recorded"), not run: "
          + "the schema has it")
    }
    let place = status.applied.last.map { "at version \($0.version)" } ?? "without migrations"
    let name = TerminalText.escaped(file)
    if steps.isEmpty && recorded.isEmpty {
      return try output.line("Nothing to apply: \(name) is \(place).")
    }
    if !isDryRun { try output.line("\(name) is \(place).") }
  }

  private func writeTable(of status: MigrationStatus) throws {
    if status.entries.isEmpty {
      return try output.line("There are no migrations, and none were applied.")
    }
    var table = TextTable(headers: ["version", "name", "state"], output: output)
    for entry in status.entries {
      try table.append([
        TextCell("\(entry.version)", isNumber: true), TextCell(entry.name),
        TextCell(state(of: entry)),
      ])
    }
    try table.finish()
  }

  private func state(of entry: MigrationStatus.Entry) -> String {
    if let problem = entry.problem { return "problem: \(problem.code)" }
    return entry.appliedAt.map { "applied at \($0)" } ?? "pending"
  }

  private func document(
    of steps: [Step], _ recorded: [String], isDryRun: Bool, status: MigrationStatus
  ) -> JSONValue {
    [
      "v": 1, "file": .string(file), "dryRun": .bool(isDryRun),
      "applied": .array(
        steps.map { ["name": .string($0.name), "milliseconds": JSONValue(milliseconds: $0.time)] }),
      "recorded": .array(recorded.map { .string($0) }),
      "pending": .array(status.pending.map { .string($0) }),
      "version": status.applied.last.map { .integer($0.version) } ?? .null,
    ]
  }

  private func document(of status: MigrationStatus) -> JSONValue {
    [
      "v": 1, "file": .string(file), "exists": .bool(exists),
      "migrations": .array(
        status.entries.map { entry in
          [
            "version": .integer(entry.version), "name": .string(entry.name),
            "appliedAt": JSONValue(entry.appliedAt),
            "problem": entry.problem.map { problem in
              [
                "code": .string("\(problem.code)"), "message": .string(problem.message),
                "hint": JSONValue(problem.hint),
              ]
            } ?? .null,
          ]
        }),
    ]
  }
}
