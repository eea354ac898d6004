#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How much room a disk has left.
enum FreeSpace {
  /// Returns how many bytes may still be written beside a file; nil where nobody can tell.
  ///
  /// What the system keeps for its administrator is not counted. The file is not opened for that.
  static func byteCount(beside path: String) -> Int? {
    var status = statvfs()
    guard path.withCString({ statvfs($0, &status) }) == 0 else { return nil }
    let (count, isTooLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return isTooLarge ? .max : Int(clamping: count)
  }
}
