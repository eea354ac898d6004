/// A table as it becomes a struct.
struct EntityTable {
  /// A column and its property.
  struct Column {
    let name: String
    /// The property, without backticks.
    let property: String
    let form: ColumnForm
    let isOptional: Bool
    let isKey: Bool
    /// What stands above the property.
    let note: String?

    /// The type of the property as it is written.
    var type: String { form.type + (isOptional ? "?" : "") }
    /// The property as it is written.
    var writtenProperty: String { SwiftName.written(property) }
  }

  /// A property that leads to other entities.
  struct Relationship {
    let name: String
    let target: String
    let isToMany: Bool
    /// The columns of the foreign key, in the order of the key that they hold.
    let columns: [String]
    /// What stands above it.
    let note: String?
  }

  /// The name of the table.
  let table: String
  /// The name of the struct.
  let type: String
  /// What stands above the struct.
  var notes: [String] = []
  var columns: [Column] = []
  var relationships: [Relationship] = []

  /// The columns of the primary key, in the order of the properties.
  var key: [Column] { columns.filter(\.isKey) }

  /// Whether the macro can read its names.
  var suitsMacro: Bool {
    SwiftName.isPlain(table) && columns.allSatisfy { SwiftName.isPlain($0.name) }
  }
}

/// What becomes of the tables and views of a file.
struct EntityModel {
  /// What is left out, and why, in the order of names.
  struct Omission {
    let name: String
    let lines: [String]
  }

  var tables: [EntityTable] = []
  var omissions: [Omission] = []
}
