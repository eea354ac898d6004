import Foundation

/// A folder of its own, removed when the value is released.
final class TemporaryFolder: Sendable {
  private let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { "\(path)/\(name)" }
}
