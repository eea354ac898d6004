internal import Sectile
internal import SectilePresenting
internal import Synchronization

/// Writes what happens in a watch as lines for people.
final class TextReporter: WatchReporting {
  /// How many columns of a terminal the values of a row take at most.
  private static let itemWidth = 120

  private let output: Output
  private let lineLimit: Int
  private let showsFirstLoad: Bool

  // MARK: - Mutable state
  //
  // - `request`: guarded by its mutex; writing happens outside of it.
  private let request = Mutex<WatchedRequest?>(nil)

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - output: Where the lines go.
  ///   - lineLimit: How many changes of one kind are written out for one changeset.
  ///   - showsFirstLoad: Whether the changes of the first load are written out, too.
  init(output: Output, lineLimit: Int, showsFirstLoad: Bool) {
    self.output = output
    self.lineLimit = lineLimit
    self.showsFirstLoad = showsFirstLoad
  }

  func begin(_ request: WatchedRequest, _ results: WatchedResults) throws {
    self.request.withLock { $0 = request }
    let name = TerminalText.escaped("\(request.table) in \(request.file)")
    try line("Watching \(TextStyle.bold.text(name)); Ctrl-C ends it.")
    if request.isImmutable {
      try line("It is taken for a file that nobody changes: this is all there will be.")
    }
  }

  func schemaChanged(to request: WatchedRequest?, restarts: Bool) throws {
    let news =
      switch (request, restarts) {
      case (nil, _): "the schema changed: the table, or its key, is gone; waiting for it"
      case (let request?, true):
        "the schema changed: beginning anew with the columns "
          + request.columns.joined(separator: ", ")
      case (_, false): "the schema changed, or the file was vacuumed"
      }
    try line("\(ClockText.now())  \(TextStyle.yellow.text(TerminalText.escaped(news)))")
  }

  func willLoad(at version: Int) throws {
    try line("\(ClockText.now())  willLoad")
  }

  func differs(by changes: WatchedChanges, _ results: WatchedResults) throws {
    guard !showsFirstLoad else { return }
    try line("\(ClockText.now())  the contents before, compared with these:")
    try changed(changes, isFirstLoad: false, results)
  }

  func changed(_ changes: WatchedChanges, isFirstLoad: Bool, _ results: WatchedResults) throws {
    let versions = "\(changes.sourceVersion)→\(changes.targetVersion)"
    let request = request.withLock { $0 }
    let columns = request?.columns ?? []
    // Rows that nothing groups are in one section, which nobody asked for.
    let hasSections = request?.sectionBy != nil
    let counts = ChangeLines<UntypedRow.ID, UntypedRow>.counts(
      of: changes, withSections: hasSections)
    try line("  didPartiallyLoad \(versions)  \(counts)")
    if isFirstLoad && !showsFirstLoad { return }
    let lines = ChangeLines<UntypedRow.ID, UntypedRow>(
      section: { SectionHead.label(of: $0.identity) },
      id: { TerminalText.escaped("\($0)") },
      item: { Self.text(of: $0, columns: columns) })
    let texts = lines.lines(of: changes, limit: lineLimit, withSections: hasSections)
    for text in texts { try output.line("    " + text) }
    try output.flush()
  }

  func finished(_ results: WatchedResults) throws {
    let hasSections = request.withLock { $0?.sectionBy != nil }
    let counts =
      hasSections
      ? CountText.rows(results.numberOfItems, sections: results.numberOfSections)
      : CountText.text(results.numberOfItems, "row")
    try line("  didFinishLoading  \(counts)")
  }

  func failed(_ error: any Error) throws {
    let message = (error as? StoreError)?.message ?? "\(error)"
    try line("  didFail  \(TextStyle.red.text(TerminalText.escaped(message)))")
  }

  private func line(_ text: String) throws {
    try output.line(text)
    try output.flush()
  }

  private static func text(of item: UntypedRow, columns: [String]) -> String {
    let cells = columns.map { name in
      let value = ValueText.cell(item.shownValue(of: name), width: itemWidth).escaped
      return "\(TerminalText.escaped(name))=\(value.text)"
    }
    return TerminalText.truncated(cells.joined(separator: "  "), to: itemWidth)
  }
}
