internal import ArgumentParser
internal import Foundation

/// Where a database lives.
enum Storage: String, CaseIterable, Codable, Sendable, ExpressibleByArgument {
  case memory
  case file
}

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

  /// Returns the path of a new file, nil for memory.
  func path(for storage: Storage) -> String? {
    guard storage == .file else { return nil }
    count += 1
    return url.appendingPathComponent("\(count).sqlite").path
  }
}
