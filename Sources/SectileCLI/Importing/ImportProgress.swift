/// Shows how far an import has come, and ends it at Ctrl-C.
final class ImportProgress {
  private let stop: StopSignal
  // MARK: - Mutable state
  //
  // - `current`: used on the thread that imports.
  private var current: (label: String, progress: Progress)?

  /// Creates the progress of one import.
  init(stop: StopSignal) {
    self.stop = stop
  }

  /// Shows what is done and how much was read.
  ///
  /// - Parameters:
  ///   - label: What is done.
  ///   - count: How many bytes or rows were read.
  ///   - total: How many there are; nil where nobody knows.
  ///   - unit: What is counted.
  /// - Throws: ``CommandFailure`` where Ctrl-C was pressed.
  func advance(
    label: String, to count: Int, of total: Int?, unit: Progress.Unit = .bytes
  ) throws {
    if stop.hasStopped {
      throw CommandFailure(
        .interrupted, "stopped",
        hint: "What was not committed is undone; run it again to import all.")
    }
    if current?.label != label {
      try finish()
      current = (label, Progress(label, total: total ?? 0, unit: unit))
    }
    try current?.progress.advance(to: count)
  }

  /// Removes the line.
  func finish() throws {
    try current?.progress.finish()
    current = nil
  }
}
