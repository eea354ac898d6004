import Glibc

@testable import SectileCLI

/// A file without a name, for readers that want a path.
enum MemoryFile {
  /// Used by one thread, libFuzzer's.
  private static let descriptor: CInt = {
    var template = Array("/tmp/sectile-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { violated("no temporary file") }
    unlink(template)
    return descriptor
  }()

  /// The path that opens it anew.
  static let path = "/proc/self/fd/\(descriptor)"

  /// Replaces what is in the file.
  static func fill(_ bytes: [UInt8]) {
    guard ftruncate(descriptor, 0) == 0,
      pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    else { violated("the temporary file cannot be written") }
  }

  /// Returns an input of `sectile import` with some bytes.
  static func source(_ bytes: [UInt8]) throws -> InputSource {
    fill(bytes)
    return try InputSource(path: path)
  }
}
