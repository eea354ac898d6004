import Foundation
import SectileTestHelpers
import Testing

/// A file in a folder of its own, which goes with it.
final class TemporaryFile: Sendable {
  let folder: TemporaryFolder
  var path: String { folder.file("text") }

  /// Makes a folder, and a file in it unless told otherwise.
  init(_ text: String? = nil) throws {
    folder = try TemporaryFolder()
    if let text { try write(text) }
  }

  func write(_ text: String) throws { try write(Data(text.utf8)) }

  /// Writes in place.
  func write(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: path)) }

  /// Writes another file, and gives it the name of this one.
  func replace(with text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  func append(_ text: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  func truncate(to count: UInt64) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: count)
    try handle.close()
  }

  func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
