import Foundation
import Testing

/// A folder that lives as long as the value's owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Returns the path of a file in the folder.
  func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }

  /// Writes a file and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    return path(name)
  }
}

/// The files that belong to these tests.
enum Fixture {
  /// The path of a small dpkg status file with everything that can be odd about one.
  static var status: String {
    get throws {
      let url = Bundle.module.url(
        forResource: "status", withExtension: nil, subdirectory: "Fixtures")
      return try #require(url).path
    }
  }
}
