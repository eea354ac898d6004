internal import Foundation

/// Where a program's migrations come from.
///
/// ```swift
/// let store = try Store.open(at: "packages.sqlite", migrations: .folder("Migrations"))
/// ```
///
/// See ``Migrations/File`` for the rule of names, and ``Migrator`` for what happens to the files.
public struct Migrations: Sendable {
  private enum Source {
    case none
    case folder(String)
    case files([Migrations.File])
  }

  private let source: Source
  /// The version of the last file that an existing schema may stand for; nil where none may.
  package let baselineVersion: Int64?

  private init(source: Source, baselineVersion: Int64? = nil) {
    self.source = source
    self.baselineVersion = baselineVersion
  }

  /// No migrations: the schema is somebody else's matter, and a ledger, if there is one, is not
  /// looked at.
  public static let none = Migrations(source: .none)

  /// The `.sql` files of a folder, read when the store is opened.
  ///
  /// Other files are ignored; a `.sql` file whose name breaks the rule is refused. Folders in the
  /// folder are not searched.
  public static func folder(_ path: String) -> Migrations {
    Migrations(source: .folder(path))
  }

  /// Files that the program holds.
  public static func files(_ files: [Migrations.File]) -> Migrations {
    Migrations(source: .files(files))
  }

  /// Files that are part of the program, such as resources that SwiftPM embeds.
  ///
  /// ```swift
  /// .embedded(["V0001_create_package.sql": PackageResources.V0001_create_package_sql])
  /// ```
  public static func embedded(_ files: KeyValuePairs<String, [UInt8]>) -> Migrations {
    .files(files.map { Migrations.File(name: $0.key, bytes: $0.value) })
  }

  /// Files written out in the program; ``files(_:)`` takes those that it makes.
  ///
  /// ```swift
  /// .inline(["V0001_create_package.sql": "CREATE TABLE package (name TEXT PRIMARY KEY)"])
  /// ```
  public static func inline(_ files: KeyValuePairs<String, String>) -> Migrations {
    .files(files.map { Migrations.File(name: $0.key, sql: $0.value) })
  }

  /// Returns the same migrations, which also take over a file that has the first of them already:
  /// one whose tables another tool has made.
  ///
  /// ```swift
  /// let store = try Store.open(
  ///   at: "shop.sqlite", migrations: .folder("Migrations").baseline(through: 1))
  /// ```
  ///
  /// A new file runs all of them. In a file without a ledger that has any table, view, index or
  /// trigger of the files up to the version, these files are written into the ledger and not run,
  /// and what follows is run. Both have everything that the files make then, and the same ledger.
  ///
  /// So what is there must be what the files make, or ``StoreError/Code/migrationBaseline`` says
  /// how it differs, and nothing is written. For this the files are run on an empty database in
  /// memory, where they cannot attach another file. Of tables are compared the columns in their
  /// order, with types, NOT NULL, defaults, keys, collations and generated values; foreign keys,
  /// UNIQUE and CHECK; STRICT, WITHOUT ROWID and AUTOINCREMENT. Indexes, views, triggers and
  /// virtual tables must have the same text, apart from case, space and quotes of names. Names of
  /// constraints, conflict clauses and DEFERRABLE of tables are not compared, and rows that the
  /// files insert are not looked for. What else is in the file stays and is not looked at, other
  /// tools' tables and ledgers for one.
  ///
  /// Where the file has a ledger with rows, the baseline means nothing. Leave it in the program for
  /// as long as there are files without one.
  ///
  /// - Parameter version: The version of the last file that the existing schema stands for. Where
  ///   no file has it, opening fails with `migrationTarget`.
  /// - Returns: The migrations, with the baseline.
  public func baseline(through version: Int64) -> Migrations {
    Migrations(source: source, baselineVersion: version)
  }

  /// Returns the migrations in the order of their versions; `nil` for ``none``.
  func load() throws(StoreError) -> [Migration]? {
    let files: [Migrations.File]
    switch source {
    case .none:
      return nil
    case .folder(let path):
      files = try Self.files(in: path)
    case .files(let given):
      files = given
    }
    var migrations: [Migration] = []
    for file in files {
      migrations.append(try Migration(file))
    }
    migrations.sort { ($0.version, $0.name) < ($1.version, $1.name) }
    for (one, next) in zip(migrations, migrations.dropFirst()) where one.version == next.version {
      throw StoreError(
        .migrationDuplicate, message: "\(one.name) and \(next.name) have the same version",
        hint: "Give the newer of them a version higher than all others.")
    }
    if let baselineVersion {
      try MigrationPlan.checkVersion(baselineVersion, isOneOf: migrations)
    }
    return migrations
  }

  private static func files(in folder: String) throws(StoreError) -> [Migrations.File] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw StoreError(
        .migrationUnreadable, message: "The migrations folder \(folder) cannot be read",
        hint: "Check the path; a relative one starts at the working directory, "
          + "\(FileManager.default.currentDirectoryPath).", cause: error)
    }
    var files: [Migrations.File] = []
    for name in names.sorted() where name.lowercased().hasSuffix(".sql") {
      let path = "\(folder)/\(name)"
      guard let data = FileManager.default.contents(atPath: path) else {
        throw StoreError(
          .migrationUnreadable, message: "The migration \(path) cannot be read",
          hint: "Check that it is a file and its permissions.")
      }
      files.append(Migrations.File(name: name, bytes: [UInt8](data)))
    }
    return files
  }
}
