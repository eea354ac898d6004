internal import Foundation
internal import Glibc

/// The open database and the files that SQLite keeps beside it, which nothing else may touch.
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
    guard let wanted = Self.identity(of: path) else { return false }
    return paths.contains { file in
      Self.identity(of: file).map { $0 == wanted } ?? false
    }
  }

  private static func identity(of path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// The path without links; of a file that is not there, its folder's.
  private static func resolved(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let url = URL(fileURLWithPath: path)
    guard let folder = realpath(url.deletingLastPathComponent().path, nil) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + url.lastPathComponent
  }
}
