internal import Foundation
internal import Sectile

extension Migrations {
  /// Returns the migrations of a folder that was named as an argument.
  ///
  /// - Parameter folder: The folder's path.
  /// - Returns: The migrations, which are not yet read.
  /// - Throws: ``CommandFailure`` where there is no such folder.
  static func existing(_ folder: String) throws -> Migrations {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else {
      throw CommandFailure(
        .noInput, "there is no folder \(folder)",
        hint: "Create it, or name another one with --migrations.")
    }
    return .folder(folder)
  }
}
