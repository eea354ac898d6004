#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An empty file beside a database, open so that it can be locked.
///
/// The lock is `flock`'s: it belongs to what `open` returned, so two stores of one process exclude
/// each other, too, and closing another descriptor of the file lets go of nothing. The system lets
/// go of it when the process ends, however it ends.
package final class LockFile: Sendable {
  /// Why there is none.
  package enum Failure: Error {
    /// It cannot be had here, now or later: nobody has it.
    case unavailable(String)
    /// Something that passes.
    case failed(StoreError)
  }

  private let descriptor: CInt
  private let path: String

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - database: Whose permissions a new one gets, and whose owner; nil for those of any new
  ///     file.
  /// - Throws: ``Failure``.
  package init(at path: String, for database: FileIdentity? = nil) throws(Failure) {
    // Without `O_NONBLOCK`, opening a pipe waits for whoever writes to it.
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    var opened: CInt
    repeat {
      opened = Self.repeating { open(path, flags) }
      if opened < 0, errno == ENOENT {
        opened = Self.repeating {
          open(path, flags | O_CREAT | O_EXCL, database?.permissions ?? 0o666)
        }
        if opened >= 0 { database?.pass(to: opened) }
      }
      // Somebody else was first.
    } while opened < 0 && errno == EEXIST
    guard opened >= 0 else { throw Self.failure(of: errno, at: path) }
    guard let identity = FileIdentity(descriptor: opened), identity.isRegular else {
      close(opened)
      throw .unavailable("\(path) is no regular file")
    }
    descriptor = opened
    self.path = path
  }

  deinit {
    // Closing alone would leave the lock to a child that has a copy of the descriptor: one that was
    // forked has it until it runs its own program.
    unlock()
    close(descriptor)
  }

  /// Takes the lock, unless somebody has it.
  ///
  /// - Returns: Whether it was taken.
  /// - Throws: ``Failure`` where the file system has no such locks.
  package func lock() throws(Failure) -> Bool {
    guard Self.repeating({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 else { return true }
    if errno == EWOULDBLOCK { return false }
    throw Self.failure(of: errno, at: path)
  }

  /// Lets go of the lock.
  package func unlock() { flock(descriptor, LOCK_UN) }

  /// Whether the file is still what others find at its path.
  var isInPlace: Bool {
    guard let own = FileIdentity(descriptor: descriptor) else { return false }
    return own == FileIdentity(path)
  }

  private static func failure(of number: CInt, at path: String) -> Failure {
    let message = "\(path): \(String(cString: strerror(number)))"
    switch number {
    case EMFILE, ENFILE:
      return .failed(
        StoreError(
          .cannotOpen, message: message,
          hint: "Raise the limit of open files, or open fewer stores at a time."))
    case ENOSPC, EDQUOT:
      return .failed(StoreError(.diskFull, message: message, hint: "Make room on the disk."))
    case ENOMEM, ENOLCK:
      return .failed(StoreError(.outOfMemory, message: message))
    case EIO: return .failed(StoreError(.ioError, message: message))
    // `EACCES` and `EROFS` above all; a link at the path is `ELOOP`, a folder `EISDIR`.
    default: return .unavailable(message)
    }
  }

  private static func repeating(_ call: () -> CInt) -> CInt {
    var result = call()
    while result < 0 && errno == EINTR { result = call() }
    return result
  }
}
