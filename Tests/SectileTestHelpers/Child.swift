internal import Foundation

/// A program that was started.
///
/// Foundation's `Process` takes a program for running as long as what it left behind runs, as a
/// server does.
struct Child {
  let number: pid_t

  /// Starts a program, which reads from `input`, or has nothing to read.
  init(_ words: [String], input: Int32?) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var arguments = (["/usr/bin/env"] + words).map { strdup($0) } + [nil]
    var variables =
      ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, "/usr/bin/env", &actions, nil, &arguments, &variables)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
    number = child
  }

  /// Waits for its end.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    return status
  }
}

/// A shell that does something when this process ends, however it does.
final class Watcher: Sendable {
  private let child: Child
  private let writer: Int32

  init(_ words: [String]) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    // No other child may hold the end that this process writes to.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    child = try Child(words, input: ends[0])
    close(ends[0])
    writer = ends[1]
  }

  /// Ends it with nothing done.
  func end() {
    var byte = UInt8(ascii: "\n")
    write(writer, &byte, 1)
    close(writer)
    _ = child.wait()
  }
}
