/// A table or view as an ``InspectionConnection`` finds it.
package struct InspectedTable: Hashable, Sendable {
  /// What a name in the schema stands for.
  package enum Kind: String, Hashable, Sendable {
    /// A table with rows of its own.
    case table
    /// A virtual table, whose rows a module makes.
    case virtual
    /// A stored query.
    case view
  }

  /// The name.
  package let name: String
  /// What the name stands for.
  package let kind: Kind
  /// The number of rows; nil where they cannot be counted, or are not, as those of views.
  package let rowCount: Int?

  /// Creates a description.
  package init(name: String, kind: Kind, rowCount: Int?) {
    self.name = name
    self.kind = kind
    self.rowCount = rowCount
  }
}
