internal import Foundation
internal import Synchronization

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

  // MARK: - Mutable state
  //
  // - `namesInUse`: guarded by its mutex; the names of the drafts of this process, from before they
  //   are created until they are closed. Process numbers would not do: in a container each process
  //   has that of the one before it.
  private static let namesInUse = Mutex<Set<String>>([])

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
      guard Self.noteUse(of: path) else { continue }
      let descriptor = Self.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
      let reason = errno
      if descriptor < 0 { Self.noteEnd(of: path) }
      if descriptor < 0, reason == EEXIST || reason == EINTR { continue }
      guard descriptor >= 0 else {
        let isFull = reason == ENOSPC || reason == EDQUOT
        let error = StoreError(
          isFull ? .diskFull : .cannotOpen,
          message: "\(target): \(String(cString: strerror(reason)))",
          hint: isFull
            ? "Make room on the disk, or write to another one."
            : "Check that the folder exists and may be written.")
        throw StorePath.diagnose(error, at: target, isReadOnly: false)
      }
      // Whoever clears up may have come between the two calls.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isStill(descriptor, at: path) {
        self.path = path
        self.descriptor = descriptor
        return
      }
      close(descriptor)
      Self.noteEnd(of: path)
    }
  }

  deinit {
    close(descriptor)
    Self.noteEnd(of: path)
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
      // One of this process is in use, and closing it here would end SQLite's locks on it.
      if namesInUse.withLock({ $0.contains(name) }) { continue }
      let path = folder + "/" + name
      let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      for suffix in companions + [""] { unlink(path + suffix) }
    }
  }

  /// Returns the name that the file of a draft is to get.
  ///
  /// - Parameter name: The name of a file.
  /// - Returns: The name; nil where the file is no draft.
  static func targetName(of name: String) -> String? {
    guard let place = name.range(of: mark, options: .backwards) else { return nil }
    return String(name[..<place.lowerBound])
  }

  private static let mark = ".partial-"

  /// Returns whether the name is not in use already.
  private static func noteUse(of path: String) -> Bool {
    let name = (path as NSString).lastPathComponent
    return namesInUse.withLock { $0.insert(name).inserted }
  }

  private static func noteEnd(of path: String) {
    let name = (path as NSString).lastPathComponent
    namesInUse.withLock { names in _ = names.remove(name) }
  }

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
