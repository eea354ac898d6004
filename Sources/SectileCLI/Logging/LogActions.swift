internal import Sectile
internal import SectilePresenting

/// Switches the change log of a file on and off, and tells what it has.
struct LogActions {
  let file: String
  let isJSON: Bool
  let output: Output

  /// Does what was asked for.
  ///
  /// - Parameters:
  ///   - action: What it is.
  ///   - store: The file, opened to read it.
  ///   - tables: The tables to follow; nil for all.
  ///   - values: The tables whose old values are kept, and no longer kept; none for none.
  ///   - rowCount: How many rows to keep; nil for what is usual.
  /// - Throws: ``CommandFailure`` and `StoreError`.
  func run(
    _ action: LogCommand.Action, reading store: Store, tables: [String]?,
    values: (kept: [String], dropped: [String]), keeping rowCount: Int?
  ) throws {
    switch action {
    case .status:
      guard let status = try store.changeLog.status() else {
        throw CommandFailure(
          .failed, "\(file) has no change log",
          hint: "Switch it on with: sectile log FILE enable")
      }
      return try isJSON ? output.line(document(of: status).text) : write(status)
    case .enable:
      // A log that is there already keeps following what it follows, where values are meant.
      let areValuesMeant = tables == nil && !(values.kept + values.dropped).isEmpty
      let keepsLog =
        try areValuesMeant && (values.kept.isEmpty || store.changeLog.status() != nil)
      let hasChanged = try writing(store) { store in
        let log = store.changeLog
        // First what may be refused: then the log is not switched on, either.
        let keeps = try log.keepValues(of: values.kept)
        let stops = try !values.dropped.isEmpty && log.stopKeepingValues(of: values.dropped)
        let isEnabled = try keepsLog ? false : log.enable(tables: tables)
        return keeps || stops || isEnabled
      }
      try tell(
        ["hasChanged": .bool(hasChanged)],
        keepsLog
          ? (hasChanged ? "other old values are kept from now on" : "nothing was to be changed")
          : (hasChanged ? "the change log is on" : "the change log was on already"))
    case .disable:
      let hadLog = try writing(store) { try $0.changeLog.disable() }
      try tell(
        ["hasChanged": .bool(hadLog)],
        hadLog ? "the change log is gone" : "there was no change log")
    case .prune:
      let count = try writing(store) { try $0.changeLog.prune(keeping: rowCount) }
      try tell(["removed": JSONValue(count)], "\(count) \(count == 1 ? "row" : "rows") removed")
    }
  }

  private func writing<Result>(_ reader: Store, _ body: (Store) throws -> Result) throws -> Result {
    try reader.close()
    let store = try Store.open(at: file)
    let result = try body(store)
    try store.close()
    return result
  }

  private func tell(_ document: JSONValue, _ sentence: String) throws {
    try output.line(isJSON ? document.text : "\(TerminalText.escaped(file)): \(sentence)")
  }

  private func write(_ status: Store.ChangeLog.Status) throws {
    try output.line("log      \(status.store)")
    try output.line("rows     \(status.oldest) to \(status.head)")
    if let bytes = status.byteCount {
      try output.line("size     \(SizeText.text(kibibytes: Int64((bytes + 1023) / 1024)))")
    }
    try output.line(
      "follows  \(status.followsAllTables ? "all tables, those to come included" : "named tables")")
    try output.line()
    var table = TextTable(headers: ["table", "key", "since", "state"], output: output)
    for followed in status.tables {
      try table.append([
        TextCell(followed.name), TextCell(followed.keys.joined(separator: ", ")),
        TextCell("\(followed.since)", isNumber: true),
        TextCell(
          followed.isIntact
            ? followed.valuesSince.map { "followed, with old values since \($0)" } ?? "followed"
            : "to be put in order by the next commit of a store"),
      ])
    }
    for other in status.untracked {
      try table.append([
        TextCell(other.name), TextCell(""), TextCell(""), TextCell("not followed: \(other.reason)"),
      ])
    }
    try table.finish()
    if status.readers.isEmpty { return }
    try output.line()
    var readers = TextTable(headers: ["reader", "row", "state"], output: output)
    for reader in status.readers {
      try readers.append([
        TextCell(reader.name), TextCell("\(reader.sequence)", isNumber: true),
        TextCell(reader.isLive ? "live" : "not heard of"),
      ])
    }
    try readers.finish()
  }

  private func document(of status: Store.ChangeLog.Status) -> JSONValue {
    [
      "v": 1, "file": .string(file), "store": .string(status.store), "head": .integer(status.head),
      "oldest": .integer(status.oldest), "bytes": status.byteCount.map { JSONValue($0) } ?? .null,
      "followsAllTables": .bool(status.followsAllTables),
      "tables": .array(
        status.tables.map {
          [
            "name": .string($0.name), "keys": .array($0.keys.map { .string($0) }),
            "since": .integer($0.since), "isIntact": .bool($0.isIntact),
            "valuesSince": $0.valuesSince.map { JSONValue.integer($0) } ?? .null,
          ]
        }),
      "untracked": .array(
        status.untracked.map { ["name": .string($0.name), "reason": .string($0.reason)] }),
      "readers": .array(
        status.readers.map {
          [
            "name": .string($0.name), "sequence": .integer($0.sequence), "isLive": .bool($0.isLive),
          ]
        }),
    ]
  }
}
