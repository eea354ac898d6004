internal import Glibc

/// A file that is written beside its place and put there when it is whole.
///
/// What is no regular file, such as a device or a named pipe, is written directly.
final class ExportFile {
  /// Where what is written goes.
  var output: Output { encoded.output }

  private let encoded: EncodedOutput
  private let path: String
  private let descriptor: Int32
  private let temporaryPath: String?
  private let replaces: Bool
  private var isFinished = false

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: Where the file is to be.
  ///   - replaces: Whether one that is there may be replaced.
  ///   - database: The database that is read; neither it nor a file of it is ever replaced.
  ///   - encoding: The encoding of the text; nil for UTF-8. The end of the path tells how it is
  ///     compressed.
  /// - Throws: ``CommandFailure``.
  init(path: String, replaces: Bool, database: String, encoding: String? = nil) throws {
    self.path = path
    self.replaces = replaces
    try DatabaseFiles(of: database).refuseOutput(path)
    var status = stat()
    let isThere = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if isThere && kind != S_IFREG {
      temporaryPath = nil
      descriptor = try SpecialFile.openForWriting(path)
    } else {
      if isThere && !replaces { throw Self.exists(path) }
      var template = Array("\(path).\(String(repeating: "X", count: 6))".utf8CString)
      descriptor = mkstemp(&template)
      temporaryPath = template.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { String(cString: $0) }
      }
      if descriptor >= 0 { fchmod(descriptor, isThere ? status.st_mode & 0o777 : Self.newMode()) }
    }
    guard descriptor >= 0 else {
      throw CommandFailure(
        .inputOutput, "cannot write \(path): \(String(cString: strerror(errno)))",
        hint: "Check that the folder exists and may be written.")
    }
    encoded = try EncodedOutput(
      to: descriptor, encoding: encoding, compression: Compression(fileName: path))
  }

  deinit {
    close(descriptor)
    if !isFinished, let temporaryPath { unlink(temporaryPath) }
  }

  /// Puts the file in its place.
  ///
  /// - Throws: ``CommandFailure`` where what was written cannot be kept.
  func finish() throws {
    try encoded.finish()
    guard let temporaryPath else { return }
    guard fsync(descriptor) == 0 else { throw failure() }
    if replaces {
      guard rename(temporaryPath, path) == 0 else { throw failure() }
      isFinished = true
    } else if link(temporaryPath, path) != 0 {
      // Somebody was faster; a link, other than a renaming, never replaces.
      if errno == EEXIST { throw Self.exists(path) }
      // A file system without links.
      guard access(path, F_OK) != 0, rename(temporaryPath, path) == 0 else { throw failure() }
      isFinished = true
    }
  }

  private func failure() -> CommandFailure {
    CommandFailure(.inputOutput, "cannot write \(path): \(String(cString: strerror(errno)))")
  }

  private static func exists(_ path: String) -> CommandFailure {
    CommandFailure(.failed, "\(path) exists", hint: "Replace it with --force.")
  }

  /// The mode of a file that is created in the ordinary way.
  private static func newMode() -> mode_t {
    let mask = umask(0)
    umask(mask)
    return 0o666 & ~mask
  }
}
