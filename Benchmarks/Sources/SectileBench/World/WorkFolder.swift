internal import Foundation

/// A folder for database files that is removed at the end.
final class WorkFolder {
  private let url: URL
  private var count = 0

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Returns the path of a new file.
  func newPath() -> String {
    count += 1
    return url.appendingPathComponent("\(count).sqlite").path
  }

  /// Returns the path of a copy of a file, nil for memory.
  func copy(of template: String, for storage: Storage) throws -> String? {
    storage == .file ? try copy(of: template) : nil
  }

  /// Returns the path of a copy of a file.
  func copy(of template: String) throws -> String {
    let path = newPath()
    try FileManager.default.copyItem(atPath: template, toPath: path)
    return path
  }
}
