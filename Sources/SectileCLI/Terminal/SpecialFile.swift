internal import Glibc

/// What is there under a name, but is no regular file: a terminal, a device, a named pipe.
enum SpecialFile {
  /// Opens it for writing.
  ///
  /// A named pipe takes nothing before somebody reads it. That is waited for, so that the order in
  /// which both are started does not matter, until a request to stop comes.
  ///
  /// - Parameter path: The path.
  /// - Returns: The descriptor; writing to it never waits, see ``Output/send(_:to:)``.
  /// - Throws: ``CommandFailure`` where it cannot be opened, or is a disk.
  static func openForWriting(_ path: String) throws -> Int32 {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFBLK {
      throw CommandFailure(
        .usage, "\(path) is a disk", hint: "Name a file on it; a disk is never overwritten.")
    }
    while true {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      if descriptor >= 0 { return descriptor }
      let isUnread = errno == ENXIO && status.st_mode & S_IFMT == S_IFIFO
      guard isUnread || errno == EINTR else {
        throw CommandFailure(
          .inputOutput, "cannot write \(path): \(String(cString: strerror(errno)))",
          hint: "Check that this user may write it.")
      }
      if StopSignal.isRequested {
        throw CommandFailure(.interrupted, "stopped: nobody reads \(path)")
      }
      usleep(50_000)
    }
  }
}
