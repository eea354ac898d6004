internal import Foundation

/// A folder that is gone when its owner is.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "sectile-reliability-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The database in it.
  var database: String { path + "/campaign.sqlite" }

  /// Whether the database is there.
  var hasDatabase: Bool { FileManager.default.fileExists(atPath: database) }
}
