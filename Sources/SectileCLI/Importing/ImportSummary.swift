/// What became of the rows of an import.
struct ImportSummary {
  /// The table.
  var table = ""
  /// Whether the table is a new one.
  var isTableCreated = false
  /// Whether all of it was undone, as it was asked to be.
  var isDryRun = false
  /// How many rows were inserted.
  var insertedCount = 0
  /// How many rows got new values.
  var updatedCount = 0
  /// How many rows were there already with the same values.
  var unchangedCount = 0
  /// How many rows were there already, and were left alone.
  var skippedCount = 0
  /// How many rows were bad.
  var badCount = 0
  /// How many rows were committed so far.
  var committedCount = 0

  /// How many rows were read.
  var rowCount: Int { insertedCount + updatedCount + unchangedCount + skippedCount + badCount }

  /// Counts a row.
  mutating func count(_ outcome: RowInserter.Outcome) {
    switch outcome {
    case .inserted: insertedCount += 1
    case .updated: updatedCount += 1
    case .unchanged: unchangedCount += 1
    case .skipped: skippedCount += 1
    }
  }

  /// The summary for a person.
  func line(after duration: Duration) -> String {
    var parts = ["\(CountText.text(insertedCount, "row")) inserted"]
    let others = [
      (updatedCount, "updated"), (unchangedCount, "unchanged"), (skippedCount, "left alone"),
      (badCount, "bad"),
    ]
    parts += others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let rate = Double(rowCount) / max(duration / .seconds(1), 1e-6)
    return (isDryRun ? "Dry run, nothing written: " : "") + parts.joined(separator: ", ")
      + " in \(DurationText.text(duration)) (\(Int(rate)) rows/s)"
  }

  /// The summary for a program.
  func json(after duration: Duration) -> String {
    "{\"v\":1,\"table\":\(ValueText.json(table)),\"created\":\(isTableCreated)"
      + ",\"dryRun\":\(isDryRun),\"inserted\":\(insertedCount),\"updated\":\(updatedCount)"
      + ",\"unchanged\":\(unchangedCount),\"skipped\":\(skippedCount),\"bad\":\(badCount)"
      + ",\"seconds\":\(duration / .seconds(1))}"
  }
}
