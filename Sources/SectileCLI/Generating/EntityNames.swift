internal import Sectile

/// What all tables and columns of a file are called in Swift, whichever of them are written.
struct EntityNames {
  private var types: [String: String] = [:]
  private var properties: [String: [String: String]] = [:]

  /// Names everything, in the order of the schema.
  init(of schemas: [TableSchema]) {
    var taken: Set<String> = []
    for schema in schemas where schema.kind.isStored {
      types[schema.name] = SwiftName.take(SwiftName.type(of: schema.name), of: &taken)
      properties[schema.name] = Self.properties(of: schema)
    }
  }

  /// Returns the name of a table's struct.
  func type(of schema: TableSchema) -> String {
    types[schema.name] ?? SwiftName.type(of: schema.name)
  }

  /// Returns the name of a column's property, without backticks.
  func property(of column: TableSchema.Column, in schema: TableSchema) -> String {
    properties[schema.name]?[column.name] ?? SwiftName.property(of: column.name)
  }

  private static func properties(of schema: TableSchema) -> [String: String] {
    var names: [String: String] = [:]
    var taken: Set<String> = []
    let keys = schema.keyColumns
    for column in schema.columns where column.origin == .written {
      var wanted = SwiftName.property(of: column.name)
      let isID = wanted == "id" && keys == [column.name]
      if !isID, SwiftName.reservedProperties.contains(wanted) { wanted += "Column" }
      names[column.name] = SwiftName.take(wanted, of: &taken)
    }
    return names
  }
}
