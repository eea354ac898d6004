internal import Foundation
internal import Glibc
internal import Sectile

/// A database and the files that SQLite keeps beside it, which nothing else may touch.
///
/// Not even to read: closing any other descriptor of such a file drops SQLite's locks on it.
struct DatabaseFiles {
  private let paths: [String]

  /// Names the files of a database.
  init(of path: String) {
    let real = Self.resolved(path)
    paths = ["", "-wal", "-shm", "-journal"].map { real + $0 }
  }

  /// Returns whether a path leads to one of them, by whatever name.
  func contains(_ path: String) -> Bool {
    if paths.contains(Self.resolved(path)) { return true }
    guard let wanted = FileIdentity(path) else { return false }
    return paths.contains { FileIdentity($0) == wanted }
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
