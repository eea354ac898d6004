internal import SectileCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file that is open for reading: the one place of this module that speaks to the system.
///
/// It is for text files that others write. A database file may be opened by SQLite only.
final class TextFile {
  /// What tells one state of a file from another.
  struct Signature: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let byteCount: Int
    let changedSeconds: Int
    let changedNanoseconds: Int
    let modifiedSeconds: Int
    let modifiedNanoseconds: Int

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
      byteCount = Int(status.st_size)
      #if canImport(Darwin)
        let (changed, modified) = (status.st_ctimespec, status.st_mtimespec)
      #else
        let (changed, modified) = (status.st_ctim, status.st_mtim)
      #endif
      changedSeconds = Int(changed.tv_sec)
      changedNanoseconds = Int(changed.tv_nsec)
      modifiedSeconds = Int(modified.tv_sec)
      modifiedNanoseconds = Int(modified.tv_nsec)
    }
  }

  private let path: String
  private let descriptor: Int32
  /// The file's state when it was opened.
  let signature: Signature

  /// Opens a file.
  ///
  /// - Throws: ``DataSourceError`` with `fileMissing`, `fileUnreadable` or `notARegularFile`.
  init(path: String) throws(DataSourceError) {
    // Without blocking, so that a pipe at the path cannot hold anybody up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.error(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw Self.error(path, number)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      throw .notARegularFile(path, isDirectory ? "a directory" : "a pipe, socket or device")
    }
    self.path = path
    self.descriptor = descriptor
    signature = Signature(status)
  }

  deinit {
    close(descriptor)
  }

  /// Returns the state of the file at a path, or nil where there is none to be seen.
  static func signature(ofFileAt path: String) -> Signature? {
    var status = stat()
    return stat(path, &status) == 0 ? Signature(status) : nil
  }

  /// Returns the file's size as it is now.
  func byteCount() throws(DataSourceError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.error(path, errno) }
    return Int(status.st_size)
  }

  /// Reads what follows, and returns how many bytes it was: zero at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataSourceError) -> Int {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { throw Self.error(path, errno) }
    }
  }

  private static func error(_ path: String, _ number: Int32) -> DataSourceError {
    switch number {
    case ENOENT, ENOTDIR: .fileMissing(path)
    case ENXIO: .notARegularFile(path, "a pipe, socket or device")
    default: .fileUnreadable(path, String(cString: strerror(number)))
    }
  }
}
