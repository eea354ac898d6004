internal import GRDBSQLite

extension InspectionStatement {
  /// The names of the values that it asks for, with the sign before them, in the order of their
  /// positions; nil for a `?` alone, and for a position that nothing asks for.
  package var parameterNames: [String?] {
    (0..<Int32(parameterCount)).map { position in
      sqlite3_bind_parameter_name(statement, position + 1).map { String(cString: $0) }
    }
  }
}
