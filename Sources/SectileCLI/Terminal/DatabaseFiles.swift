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

  /// Returns the file that a path would belong to if that were a database; nil where it is not
  /// there.
  static func owner(of path: String) -> String? {
    endings.first { path.hasSuffix($0) }.map { String(path.dropLast($0.count)) }
      .flatMap { FileIdentity($0) == nil ? nil : $0 }
  }

  /// Refuses a path that leads to one of the files beside the database.
  ///
  /// - Throws: ``CommandFailure``.
  func refuseCompanion(_ path: String) throws {
    guard contains(path), FileIdentity(path) != FileIdentity(paths[0]) else { return }
    throw CommandFailure(.usage, "\(path) belongs to the database", hint: "Name another file.")
  }

  /// Refuses the name of a folder where a file is to be written.
  ///
  /// - Throws: ``CommandFailure`` for a path that ends with a slash.
  static func refuseFolder(_ path: String) throws {
    guard path.hasSuffix("/") else { return }
    throw CommandFailure(.usage, "\(path) names a folder", hint: "Name a file in it.")
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
