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
