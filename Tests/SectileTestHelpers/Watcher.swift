internal import Foundation

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
