internal import GRDB
internal import SectileCore

/// The migrations that an existing schema may stand for.
struct MigrationBaseline {
  /// The files in the order of their versions.
  let files: [Migration]
  /// What the files make of an empty database.
  private let wanted: SchemaOutline
  /// The version of the last file to apply; nil for all of them.
  private let target: Int64?

  /// Runs files on an empty database in memory, to see what they make.
  ///
  /// - Parameters:
  ///   - files: The files in the order of their versions.
  ///   - target: The version of the last file to apply; nil for all of them.
  ///   - collations: Those that the store knows.
  /// - Throws: ``StoreError`` that names the file that cannot be run.
  init(
    of files: [Migration], through target: Int64?, knowing collations: [TextCollation]
  ) throws(StoreError) {
    self.files = files
    self.target = target
    do {
      let copy = try SchemaCopy(knowing: collations)
      wanted = try copy.withDatabase { db in
        for file in files {
          try db.inTransaction {
            try file.run(on: db)
            return .commit
          }
        }
        return try SchemaOutline(of: db)
      }
    } catch {
      throw .wrapping(error, file: nil)
    }
  }

  /// Whether a database has what the files make; false where it has nothing of it.
  ///
  /// - Throws: ``StoreError`` with the code `migrationBaseline` where it has something of it, or
  ///   something else of the same name; `migrationTarget` where it is further than wanted.
  func isThere(in db: Database) throws(StoreError) -> Bool {
    let found = try SchemaOutline(of: db)
    guard let last = files.last, found.hasName(of: wanted) else { return false }
    let differences = wanted.differences(to: found)
    guard differences.isEmpty else {
      let limit = 5
      let rest =
        differences.count > limit ? "; and \(differences.count - limit) more differences" : ""
      throw StoreError(
        .migrationBaseline,
        message: "the schema is not that of \(last.name): "
          + differences.prefix(limit).joined(separator: "; ") + rest,
        hint: "Write the files up to this one as the schema is (`sectile sqlite FILE .schema` "
          + "prints it), and what is to be different into a later one. Nothing was stored.")
    }
    if let target, target < last.version {
      throw StoreError(
        .migrationTarget,
        message: "version \(target) lies behind: the schema is that of \(last.name)",
        hint: "Name version \(last.version) or a later one.")
    }
    return true
  }
}
