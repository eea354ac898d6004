import Sectile

@testable import SectileCLI

/// A record of an import with the names of its values, in a form that can be compared.
struct JSONRecord: Equatable {
  let number: Int
  let names: [String]
  /// Nil for something that is no row.
  let values: [StoredValue]?

  static func == (left: Self, right: Self) -> Bool {
    // Names differ by their bytes, as in SQLite.
    left.names.map { Array($0.utf8) } == right.names.map { Array($0.utf8) }
      && left.values == right.values
  }

  /// Adds what a reader hears; the names are those of the rows before it, unless it brings some.
  static func add(_ record: ImportRecord, to records: inout [JSONRecord], _ names: [String]) {
    switch record {
    case .columns: break
    case .row(let number, let values, _):
      require(values.count == names.count, "\(values.count) values for \(names.count) names")
      records.append(JSONRecord(number: number, names: names, values: values))
    case .fields: require(false, "separated values in JSON")
    case .bad(let number, let reason, _):
      require(!reason.isEmpty, "a bad row without a reason")
      records.append(JSONRecord(number: number, names: [], values: nil))
    }
  }

  /// Requires that rows, written an object a line, are read to the same.
  static func requireReadBack(_ records: [JSONRecord], isControl: Bool) throws {
    let rows = records.filter { $0.values != nil }
    let lines = rows.map { row in
      let members = zip(row.names, row.values ?? []).map { name, value in
        "\(ValueText.json(name)):\(isControl ? rounded(value) : ValueText.json(value))"
      }
      return "{\(members.joined(separator: ","))}\n"
    }
    let again = try read(Array(lines.joined().utf8))
    require(again == rows, "rows are read back differently: \(rows), \(again)")
  }

  /// Returns the records of an input that has an object a line.
  static func read(_ bytes: [UInt8]) throws -> [JSONRecord] {
    try read { try $0.readLines(of: try MemoryFile.source(bytes), $1) }
  }

  /// Returns the records that a reader is made to read.
  static func read(
    _ body: (JSONInput, (ImportRecord) throws -> Void) throws -> Void
  ) throws -> [JSONRecord] {
    let reader = kept ?? JSONInput()
    kept = reader
    var records: [JSONRecord] = []
    try body(reader) { record in
      if case .columns(let columns) = record { names = columns }
      add(record, to: &records, names)
    }
    return records
  }

  // Kept, since opening its connection takes longer than all else; used by one thread, libFuzzer's.
  // It says names only where they differ from those of the row before.
  nonisolated(unsafe) private static var kept: JSONInput?
  nonisolated(unsafe) private static var names: [String] = []

  /// A mistake: numbers lose their last digits.
  private static func rounded(_ value: StoredValue) -> String {
    guard case .real(let number) = value else { return ValueText.json(value) }
    return "\(Float(number))"
  }
}
