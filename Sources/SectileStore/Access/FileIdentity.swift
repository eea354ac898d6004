#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the file system says about a file, which is not opened for that.
package struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64
  private let mode: UInt32
  private let size: Int64
  /// How many names it has.
  let linkCount: Int

  /// Reads it; nil where there is no file, or a link to none.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    mode = UInt32(status.st_mode)
    size = Int64(status.st_size)
    linkCount = Int(status.st_nlink)
  }

  /// Whether it is a file as opposed to a folder, a device or a pipe.
  var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

  /// Whether it holds nothing.
  package var isEmpty: Bool { size == 0 }

  /// Who may read and write it.
  var permissions: mode_t { mode_t(mode & 0o777) }

  /// Whether both are one file, under whatever names.
  package static func == (one: FileIdentity, other: FileIdentity) -> Bool {
    (one.device, one.number) == (other.device, other.number)
  }
}
