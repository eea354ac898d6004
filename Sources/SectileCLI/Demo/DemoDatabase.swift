internal import Foundation

/// Where the demo keeps its data: a file of the user's, or one of its own that goes away.
struct DemoDatabase {
  /// The SQLite file's path.
  let path: String
  private let temporaryFolder: URL?

  /// Creates a place.
  ///
  /// - Parameter path: The user's file; nil for a file in a new temporary folder.
  /// - Throws: ``CommandFailure`` where the folder cannot be made.
  init(path: String?) throws {
    if let path {
      self.path = path
      temporaryFolder = nil
      return
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-demo-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(
        .inputOutput, "cannot create \(folder.path): \(error.localizedDescription)",
        hint: "Set TMPDIR to a folder that can be written, or name a file with --database.")
    }
    temporaryFolder = folder
    self.path = folder.appendingPathComponent("packages.sqlite").path
  }

  /// Whether the file goes away with the demo.
  var isTemporary: Bool { temporaryFolder != nil }

  /// Removes the temporary folder; does nothing for a file of the user's.
  func removeIfTemporary() {
    guard let temporaryFolder else { return }
    try? FileManager.default.removeItem(at: temporaryFolder)
  }
}
