/// What became of the lines of a patch.
struct ApplySummary {
  /// Whether all of it was undone, as it was asked to be.
  var isDryRun = false
  /// Whether nothing was written because of conflicts.
  var isRefused = false
  /// How many transactions were committed.
  var batchCount = 0
  /// How many rows came.
  var insertedCount = 0
  /// How many rows got other values.
  var updatedCount = 0
  /// How many rows went.
  var deletedCount = 0
  /// How many entries of the schema, sequences and settings were changed.
  var schemaCount = 0
  /// How many changes did not fit.
  var conflictCount = 0

  /// Adds what another has.
  mutating func add(_ other: ApplySummary) {
    insertedCount += other.insertedCount
    updatedCount += other.updatedCount
    deletedCount += other.deletedCount
    schemaCount += other.schemaCount
    conflictCount += other.conflictCount
  }

  /// The summary for a person.
  func line(after duration: Duration) -> String {
    var parts = [
      "\(CountText.text(insertedCount, "row")) inserted", "\(updatedCount) updated",
      "\(deletedCount) deleted",
    ]
    if schemaCount > 0 { parts.append("\(CountText.text(schemaCount, "change")) of the schema") }
    if conflictCount > 0 { parts.append(CountText.text(conflictCount, "conflict")) }
    if batchCount > 1 { parts.append(CountText.text(batchCount, "transaction")) }
    let head =
      isRefused ? "Nothing written: " : isDryRun ? "Dry run, nothing written: " : ""
    return head + parts.joined(separator: ", ") + " in \(DurationText.text(duration))"
  }

  /// The summary for a program.
  func json(after duration: Duration) -> String {
    "{\"v\":1,\"dryRun\":\(isDryRun),\"written\":\(!isDryRun && !isRefused)"
      + ",\"inserted\":\(insertedCount),\"updated\":\(updatedCount),\"deleted\":\(deletedCount)"
      + ",\"schema\":\(schemaCount),\"conflicts\":\(conflictCount),\"transactions\":\(batchCount)"
      + ",\"seconds\":\(duration / .seconds(1))}"
  }
}
