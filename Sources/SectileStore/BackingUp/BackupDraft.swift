internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The file that a backup is written to before it gets its name.
///
/// It is held by a lock as long as its backup runs. A backup that was killed leaves its draft
/// behind without a holder, and the next one beside it removes it.
final class BackupDraft {
  /// What SQLite keeps beside a database.
  private static let companions = ["-journal", "-wal", "-shm"]

  /// Where it is.
  let path: String
  // Open until the backup is over: SQLite's own locks on the file go when any descriptor is closed.
  private let descriptor: Int32

  /// Creates an empty draft beside the place that the backup is for.
  ///
  /// - Parameter target: The path of that place.
  /// - Throws: ``StoreError`` where it cannot be created.
  init(for target: String) throws(StoreError) {
    while true {
      let random = String(UInt32.random(in: .min ... .max), radix: 36)
      let path = "\(target)\(Self.mark)\(getpid())-\(random)"
      let descriptor = Self.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
      if descriptor < 0, errno == EEXIST || errno == EINTR { continue }
      guard descriptor >= 0 else {
        let error = StoreError(
          .cannotOpen, message: "\(target): \(String(cString: strerror(errno)))",
          hint: "Check that the folder exists and may be written.")
        throw StorePath.diagnose(error, at: target, isReadOnly: false)
      }
      // Whoever clears up may have come between the two calls.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isStill(descriptor, at: path) {
        self.path = path
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Removes it, unless it was renamed.
  func remove() {
    for suffix in [""] + Self.companions { unlink(path + suffix) }
  }

  /// Removes the drafts of the same place whose backups were killed.
  ///
  /// - Parameter target: The path of the place.
  static func removeAbandoned(for target: String) {
    let folder = (target as NSString).deletingLastPathComponent
    let prefix = (target as NSString).lastPathComponent + mark
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(prefix) && !companions.contains(where: name.hasSuffix) {
      // One of this process is in use.
      if name.hasPrefix("\(prefix)\(getpid())-") { continue }
      let path = folder + "/" + name
      let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      for suffix in companions + [""] { unlink(path + suffix) }
    }
  }

  private static let mark = ".partial-"

  private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
    var opened = stat()
    var named = stat()
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, flags, 0o666)
    #elseif canImport(Musl)
      Musl.open(path, flags, 0o666)
    #else
      Darwin.open(path, flags, 0o666)
    #endif
  }
}
