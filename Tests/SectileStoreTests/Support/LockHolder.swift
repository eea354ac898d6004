import Foundation
import SectileTestHelpers

/// Another process that has the lock beside a file.
final class LockHolder {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  /// Starts the process; returns when it has the lock.
  init(of path: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import fcntl, os, sys
      descriptor = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o644)
      fcntl.flock(descriptor, fcntl.LOCK_EX)
      print("locked", flush=True)
      sys.stdin.read()
      """, path,
    ]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    guard !output.fileHandleForReading.availableData.isEmpty else {
      throw DidNotBegin()
    }
  }

  struct DidNotBegin: Error {}

  /// Lets the other process end, and its lock with it.
  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  deinit { end() }
}
