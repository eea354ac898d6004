internal import Sectile

/// The names of a file's schema, read when first asked for and again when the schema has changed.
final class SchemaNames {
  private let connection: InspectionConnection

  // Used on the shell's own thread.
  private var version: Int64?
  private var known: [(table: String, columns: [String])] = []

  init(_ connection: InspectionConnection) {
    self.connection = connection
  }

  /// The tables and views, in the order of their names.
  var tables: [String] {
    refresh()
    return known.map(\.table)
  }

  /// Returns the columns of some tables, of all where none is named; each name once.
  func columns(of tables: [String] = []) -> [String] {
    refresh()
    let wanted = Set(tables.map { $0.lowercased() })
    var met: Set<String> = []
    return known.filter { wanted.isEmpty || wanted.contains($0.table.lowercased()) }
      .flatMap(\.columns).filter { met.insert($0).inserted }
  }

  /// The functions that SQLite offers.
  var functions: [String] { texts("SELECT DISTINCT name FROM pragma_function_list ORDER BY name") }

  /// Returns what SQLite may have been asked for, where its message says that a name is unknown.
  func suggestion(for message: String) -> String? {
    func name(after start: String) -> String? {
      guard message.hasPrefix(start) else { return nil }
      let name = message.dropFirst(start.count)
      return name.split(separator: ".").last.map(String.init)
    }
    if let name = name(after: "no such table: ") { return Spelling.closest(to: name, in: tables) }
    if let name = name(after: "no such column: ") {
      return Spelling.closest(to: name, in: columns())
    }
    if let name = name(after: "no such function: ") {
      return Spelling.closest(to: name, in: functions)
    }
    if let range = message.firstRange(of: " has no column named "), message.hasPrefix("table ") {
      let table = String(message[..<range.lowerBound].dropFirst(6))
      return Spelling.closest(
        to: String(message[range.upperBound...]), in: columns(of: [table]))
    }
    if let range = message.firstRange(of: "\": syntax error"), message.hasPrefix("near \"") {
      let word = String(message[..<range.lowerBound].dropFirst(6))
      guard word.count > 3 else { return nil }
      return Spelling.closest(to: word, in: InspectionConnection.keywords)
        .flatMap { $0.lowercased() == word.lowercased() ? nil : $0 }
    }
    return nil
  }

  private func refresh() {
    var current: Int64?
    _ = try? connection.run("PRAGMA schema_version") { row in
      if case .integer(let number) = row[0] { current = number }
    }
    if let version, version == current { return }
    version = current
    known = []
    // A file that cannot be read has no names, a view of what is gone no columns.
    known = texts(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY name
      """
    ).map { table in
      (table, texts("SELECT name FROM pragma_table_xinfo(?) ORDER BY cid", [.text(table)]))
    }
  }

  private func texts(_ sql: String, _ values: [StoredValue] = []) -> [String] {
    var texts: [String] = []
    _ = try? connection.prepare(sql).run(values) { row in
      if case .text(let text) = row[0] { texts.append(text) }
    }
    return texts
  }
}
