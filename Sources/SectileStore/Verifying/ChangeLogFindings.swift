/// What the change log of a file comes to, compared with itself and with the data.
package struct ChangeLogFindings: Hashable, Sendable {
  /// What is not as it should be, a sentence each.
  package internal(set) var problems: [String] = []
  /// What could not be compared, or is to be known, a sentence each.
  package internal(set) var notes: [String] = []
  /// How many rows the log has.
  package internal(set) var rowCount = 0
  /// How many tables it follows.
  package internal(set) var tableCount = 0
  /// How many keys that it names were looked up in their tables.
  package internal(set) var keyCount = 0

  init() {}
}
