/// Writes table, column and collation names into SQL.
package enum SQLName {
  /// Returns a name in double quotes, with the quotes inside it doubled.
  package static func quote(_ name: String) -> String { enclosed(name, UInt8(ascii: "\"")) }

  /// Returns a name as a text, in single quotes, with those inside it doubled.
  static func text(_ name: String) -> String { enclosed(name, UInt8(ascii: "'")) }

  private static func enclosed(_ name: String, _ mark: UInt8) -> String {
    // Bytes, not characters: a quote followed by a combining mark is one Swift character.
    var bytes = [mark]
    bytes.reserveCapacity(name.utf8.count + 2)
    for byte in name.utf8 {
      if byte == mark { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(mark)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a column's full name, which SQLite can never take for a string literal.
  package static func quote(_ table: String, _ column: String) -> String {
    "\(quote(table)).\(quote(column))"
  }

  /// Returns a table's name as it stands in FROM.
  ///
  /// The database is named, too: a temporary table of the name comes first otherwise. Columns are
  /// still qualified by the table's name alone.
  package static func table(_ name: String) -> String { "\"main\".\(quote(name))" }

  /// Returns several columns of one table, comma-separated; in parentheses when there are several.
  package static func rowValue(_ table: String, _ columns: [String]) -> String {
    let list = columns.map { quote(table, $0) }.joined(separator: ", ")
    return columns.count == 1 ? list : "(\(list))"
  }
}

extension Set<String> {
  /// Inserts a name into a set of names in lower case, as SQLite compares them: itself where it is
  /// free, else with the first number from 2 on by which it is.
  ///
  /// - Parameter wanted: The name.
  /// - Returns: The name that is taken now.
  mutating func insertName(_ wanted: String) -> String {
    var name = wanted
    var number = 2
    while !insert(name.inSQLLowerCase).inserted {
      name = "\(wanted)_\(number)"
      number += 1
    }
    return name
  }
}
