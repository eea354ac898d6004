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
  /// How many bytes it has.
  let size: Int64
  private let owner: uid_t
  private let group: gid_t
  /// How many names it has.
  let linkCount: Int

  /// Reads it; nil where there is no file, or a link to none.
  package init?(_ path: String) {
    var status = stat()
    // Handing the string over as it is would copy it each time.
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Reads it of a file that is open; nil where the descriptor is none.
  init?(descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    mode = UInt32(status.st_mode)
    size = Int64(status.st_size)
    linkCount = Int(status.st_nlink)
    owner = status.st_uid
    group = status.st_gid
  }

  /// Whether it is a file as opposed to a folder, a device or a pipe.
  var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

  /// Whether it holds nothing.
  package var isEmpty: Bool { size == 0 }

  /// Who may read and write it.
  var permissions: mode_t { mode_t(mode & 0o777) }

  /// Gives a file that was just created the permissions of this one, and its owner, as SQLite does
  /// for what lies beside a database: else what root has run keeps others out.
  func pass(to descriptor: CInt) {
    if geteuid() == 0 { _ = fchown(descriptor, owner, group) }
    _ = fchmod(descriptor, permissions)
  }

  /// Whether both are one file, under whatever names.
  package static func == (one: FileIdentity, other: FileIdentity) -> Bool {
    (one.device, one.number) == (other.device, other.number)
  }
}
