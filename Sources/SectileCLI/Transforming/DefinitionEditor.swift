internal import Sectile

/// Changes the definition of a table.
struct DefinitionEditor {
  /// What is to become of it.
  let changes: TableTransformation
  /// The table's name.
  let table: String

  /// Changes a definition.
  ///
  /// - Throws: ``CommandFailure`` for what makes no sense.
  func edit(_ definition: inout TableDefinition) throws {
    for (name, type) in changes.types { change(name, &definition) { $0.setType(type) } }
    for name in changes.notNull { change(name, &definition) { $0.setNotNull(true) } }
    for name in changes.nullable { change(name, &definition) { $0.setNotNull(false) } }
    for (name, text) in changes.defaults { change(name, &definition) { $0.setDefault(text) } }
    for name in changes.droppedDefaults { change(name, &definition) { $0.setDefault(nil) } }
    definition.columns.removeAll { column in
      changes.drops.contains { $0.lowercased() == column.name.lowercased() }
    }
    for text in changes.additions {
      guard let column = ColumnDefinition(SQLPiece.pieces(of: text)) else {
        throw CommandFailure(.usage, "--add is a name, and what else defines a column: \(text)")
      }
      definition.columns.append(column)
    }
    try dropReferences(&definition)
    for reference in changes.addedReferences {
      let target = reference.target.map { "(\(SQLName.quote($0)))" } ?? ""
      definition.constraints.append(
        SQLPiece.pieces(
          of: "FOREIGN KEY (\(SQLName.quote(reference.column))) "
            + "REFERENCES \(SQLName.quote(reference.table))\(target)"))
    }
    if let key = changes.key { setKey(key, &definition) }
    reorder(&definition)
  }

  private func change(
    _ name: String, _ definition: inout TableDefinition, _ body: (inout ColumnDefinition) -> Void
  ) {
    for place in definition.columns.indices
    where definition.columns[place].name.lowercased() == name.lowercased() {
      body(&definition.columns[place])
    }
  }

  private func setKey(_ key: [String], _ definition: inout TableDefinition) {
    for place in definition.columns.indices { definition.columns[place].removeKey() }
    definition.constraints.removeAll { Self.word(of: $0) == "PRIMARY" }
    if key.isEmpty { return }
    let list = key.map(SQLName.quote).joined(separator: ", ")
    definition.constraints.insert(SQLPiece.pieces(of: "PRIMARY KEY (\(list))"), at: 0)
  }

  private func dropReferences(_ definition: inout TableDefinition) throws {
    for name in changes.droppedReferences {
      var isFound = false
      change(name, &definition) { column in
        isFound = column.hasReference
        column.removeReference()
      }
      let count = definition.constraints.count
      definition.constraints.removeAll { pieces in
        guard Self.word(of: pieces) == "FOREIGN" else { return false }
        // The columns of its own stand before the table that it refers to.
        let own = pieces.prefix { !$0.isWord("REFERENCES") }
        return own.contains { $0.isName(name) }
      }
      guard isFound || definition.constraints.count < count else {
        throw CommandFailure(.data, "\(name) of \(table) refers to no other table")
      }
    }
  }

  private func reorder(_ definition: inout TableDefinition) {
    let first = changes.order.compactMap { name in
      definition.columns.first { $0.name.lowercased() == name.lowercased() }
    }
    let names = Set(first.map { $0.name.lowercased() })
    definition.columns = first + definition.columns.filter { !names.contains($0.name.lowercased()) }
  }

  /// The word that says what a constraint of a table is; its name stands before that.
  private static func word(of constraint: [SQLPiece]) -> String? {
    let words = constraint.filter { $0.kind != .space }
    guard words.first?.isWord("CONSTRAINT") == true else { return words.first?.text.uppercased() }
    return words.dropFirst(2).first?.text.uppercased()
  }
}
