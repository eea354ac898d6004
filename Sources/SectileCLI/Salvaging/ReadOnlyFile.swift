internal import Glibc

/// A file that is open for reading, at any place.
///
/// A block that cannot be read costs nothing but itself.
final class ReadOnlyFile {
  /// How many bytes it has.
  let size: Int

  private let descriptor: CInt

  /// Opens a file.
  ///
  /// - Parameter path: Its path.
  /// - Throws: ``CommandFailure`` where it cannot be opened.
  init(_ path: String) throws(CommandFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .noInput, "\(path): cannot open: \(String(cString: strerror(errno)))",
        hint: "Check the path and the permissions.")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw CommandFailure(.inputOutput, "\(path): cannot read: \(reason)")
    }
    size = Int(status.st_size)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - offset: Where they begin.
  /// - Returns: The bytes; nil where not all of them can be read.
  func read(_ count: Int, at offset: Int) -> [UInt8]? {
    guard count > 0, offset >= 0, offset <= size - count else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let start = done
      let got = bytes.withUnsafeMutableBytes { buffer in
        pread(
          descriptor, buffer.baseAddress.map { $0 + start }, count - start, off_t(offset + start))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return nil }
      done += got
    }
    return bytes
  }
}
