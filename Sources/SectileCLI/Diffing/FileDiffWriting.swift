internal import Sectile

/// Writes the differences of two files, in the order in which they would be carried out.
///
/// ```
/// begin drop* (alter* rows | create rows | rows drop)* create* rebuild* sequence* setting* finish
/// ```
protocol FileDiffWriting: AnyObject {
  /// Whether what is written must be complete, so that it can be carried out.
  ///
  /// A table that is made by another statement is then removed with all of its rows and made anew;
  /// otherwise its rows are compared as far as both have the columns.
  var isPatch: Bool { get }

  /// Writes what comes before the differences.
  func begin() throws

  /// Writes that an entry of the first file's schema is gone.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - replacement: What the second file has of that name.
  /// - Throws: What writing throws.
  func drop(_ entry: SchemaEntry, replacement: SchemaEntry?) throws

  /// Writes that an entry of the second file's schema is new.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - original: What the first file had of that name.
  /// - Throws: What writing throws.
  func create(_ entry: SchemaEntry, original: SchemaEntry?) throws

  /// Writes that a table gets more columns.
  ///
  /// - Parameters:
  ///   - entry: The table, as the first file has it.
  ///   - sql: The statement that adds a column.
  /// - Throws: What writing throws.
  func alter(_ entry: SchemaEntry, by sql: String) throws

  /// Returns what writes the differences of a table's rows; it is not used where there are none.
  func makeRowWriter(for part: DiffPart) throws -> any DiffWriting

  /// Writes that a full-text index of text in other tables has to be made anew.
  func rebuild(_ table: String) throws

  /// Writes what the next key of a table with AUTOINCREMENT goes by.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - before: The highest key in the first file; nil for none.
  ///   - after: The highest key in the second file; nil for none.
  /// - Throws: What writing throws.
  func sequence(of table: String, before: Int64?, after: Int64?) throws

  /// Writes that a number in the head of the file differs.
  func setting(_ name: String, before: Int64, after: Int64) throws

  /// Writes what comes after the differences.
  func finish(_ summary: FileDiffSummary) throws
}

/// A table whose rows are compared, as a part of two files.
struct DiffPart {
  /// Which files have the table.
  enum Role {
    /// Both, with one definition, or as far as it is one.
    case kept
    /// Only the first, or the second has another table of this name.
    case removed
    /// Only the second, or the first has another table of this name.
    case added
  }

  /// The table's name.
  let name: String
  /// Which files have it.
  let role: Role
  /// The comparison of its rows.
  let diff: TableDiff
  /// What the schema of a file that has it says.
  let schema: TableSchema
}

/// How many differences two files have.
struct FileDiffSummary {
  /// The number of tables that were compared.
  var tableCount = 0
  /// The number of tables whose rows differ.
  var differentTableCount = 0
  /// The number of tables, indexes, views and triggers that are gone, new or other ones.
  var schemaCount = 0
  /// The number of settings and sequences that differ.
  var settingCount = 0
  /// How many more rows of the second file refer to what is not there; zero where it was not
  /// counted.
  var newOrphanCount = 0

  /// Whether the files are the same.
  var isEqual: Bool { differentTableCount + schemaCount + settingCount == 0 }
}
