package import Foundation

/// What former versions have left: the folders of `Tests/Fixtures/compatibility`.
///
/// `scripts/compatibility-files` makes one for each version, once.
package enum FormerVersions {
  /// No folder was found.
  package struct None: Error {}

  /// The folders, in the order of their names; at least one.
  package static func folders() throws -> [URL] {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/compatibility")
    let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.path)
      .filter { !$0.hasPrefix(".") }.sorted()
    guard !names.isEmpty else { throw None() }
    return names.map { fixtures.appendingPathComponent($0) }
  }

  /// Copies what a version has left, because opening a file may write beside it.
  package static func copy(_ version: URL, to folder: TemporaryFolder) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: version.path) {
      try FileManager.default.copyItem(
        at: version.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
    }
  }
}
