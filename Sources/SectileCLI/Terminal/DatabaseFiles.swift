internal import Foundation
internal import Glibc
internal import Sectile

/// A database and the files that SQLite and Sectile keep beside it, which nothing else may touch.
///
/// Not even to read: closing any other descriptor of such a file drops SQLite's locks on it.
struct DatabaseFiles {
  private static let endings = ["-wal", "-shm", "-journal", "-lock"]

  private let paths: [String]

  /// Names the files of a database.
  init(of path: String) {
    let real = Self.resolved(path)
    paths = ([""] + Self.endings).map { real + $0 }
  }

  /// Returns whether a path leads to one of them, by whatever name.
  func contains(_ path: String) -> Bool {
    if paths.contains(Self.resolved(path)) { return true }
    guard let wanted = FileIdentity(path) else { return false }
    return paths.contains { FileIdentity($0) == wanted }
  }

  /// Refuses a path that leads to one of them.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - hint: What to do instead.
  /// - Throws: ``CommandFailure``.
  func refuse(_ path: String, hint: String = "Name another file.") throws {
    guard contains(path) else { return }
    throw CommandFailure(.usage, "\(path) belongs to the database", hint: hint)
  }

  /// Refuses a path at which no file is to be written: one of the database's own files, what SQLite
  /// would take for a file of another database, a folder, and `-`, which is standard output.
  ///
  /// - Parameter path: The path.
  /// - Throws: ``CommandFailure``.
  func refuseOutput(_ path: String) throws {
    if path == "-" {
      throw CommandFailure(
        .usage, "a database cannot be written to standard output",
        hint: "Name a file; ./- is one that is called -.")
    }
    try refuse(path)
    if let other = Self.owner(of: path) {
      throw CommandFailure(
        .usage, "SQLite would take \(path) for one of the files beside \(other)",
        hint: "Name another file.")
    }
    if path.hasSuffix("/") {
      throw CommandFailure(.usage, "\(path) names a folder", hint: "Name a file in it.")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw CommandFailure(.usage, "\(path) is a folder", hint: "Name a file in it.")
    }
  }

  /// Returns the file that a path would belong to if that were a database; nil where it is not
  /// there.
  private static func owner(of path: String) -> String? {
    endings.first { path.hasSuffix($0) }.map { String(path.dropLast($0.count)) }
      .flatMap { FileIdentity($0) == nil ? nil : $0 }
  }

  /// The path without links; of a file that is not there, its folder's.
  private static func resolved(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    guard let folder = realpath(url.deletingLastPathComponent().path, nil) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + url.lastPathComponent
  }
}
