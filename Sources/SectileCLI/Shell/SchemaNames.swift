internal import Sectile
internal import SectileInspecting

/// The names of a file's schema, read when first asked for and again when the schema has changed.
final class SchemaNames {
  private let connection: InspectionConnection

  // Used on the shell's own thread.
  private var version: Int64?
  private var known: [(table: String, columns: [TableSchema.Column])] = []

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
      .flatMap(\.columns).map(\.name).filter { met.insert($0).inserted }
  }

  /// Returns the declared types of the columns of some tables, of all where none is named; none
  /// where nothing was declared.
  func types(of tables: [String] = []) -> [String: String] {
    refresh()
    let wanted = Set(tables.map { $0.lowercased() })
    let columns = known.filter { wanted.isEmpty || wanted.contains($0.table.lowercased()) }
      .flatMap(\.columns).filter { !$0.declaredType.isEmpty }
    return Dictionary(columns.map { ($0.name, $0.declaredType) }) { first, _ in first }
  }

  /// The functions that SQLite offers.
  var functions: [String] {
    var names: [String] = []
    _ = try? connection.run("SELECT DISTINCT name FROM pragma_function_list ORDER BY name") { row in
      if case .text(let name) = row[0] { names.append(name) }
    }
    return names
  }

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
    // A file that cannot be read has no names.
    let schemas = (try? TableSchema.all(in: connection)) ?? []
    known = schemas.map { ($0.name, $0.columns) }
  }
}
