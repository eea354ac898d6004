import Foundation

/// What a run of the built `sectile` wrote and how it ended.
struct CommandRun {
  let output: String
  let errors: String
  let code: Int32
  /// Whether it exited by itself: neither by a signal nor by the limit of time.
  let hasExited: Bool

  /// Runs the binary that was built beside the tests.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of `sectile`.
  ///   - input: What it reads from standard input.
  ///   - environment: What is added to the environment.
  ///   - limit: After how many seconds it is killed.
  /// - Throws: Where the binary cannot be started.
  init(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:],
    limit: Double = 120
  ) throws {
    let process = try Self.process(arguments, environment: environment)
    let output = Pipe()
    let errors = Pipe()
    let source = input.map { _ in Pipe() }
    if let source {
      process.standardInput = source
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    process.standardOutput = output
    process.standardError = errors
    let gathered = ErrorReader(errors.fileHandleForReading)
    try process.run()
    let identifier = process.processIdentifier
    let killing = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: killing)
    if let input, let source {
      // A command that ends early closes the pipe; that must not end the tests.
      signal(SIGPIPE, SIG_IGN)
      DispatchQueue.global().async {
        // Whoever does not read to the end has its reasons.
        try? source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? source.fileHandleForWriting.close()
      }
    }
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    self.errors = String(decoding: gathered.bytes(), as: UTF8.self)
    process.waitUntilExit()
    killing.cancel()
    hasExited = process.terminationReason == .exit
    self.output = String(decoding: bytes, as: UTF8.self)
    code = process.terminationStatus
  }

  /// Returns a process that is ready to run the binary.
  static func process(_ arguments: [String], environment: [String: String] = [:]) throws -> Process
  {
    let process = Process()
    // The test runner and the products of the package share one folder.
    let tests = URL(fileURLWithPath: CommandLine.arguments[0])
    process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("sectile")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return process
  }
}

/// Reads standard error beside standard output, so that neither pipe fills up.
private final class ErrorReader: @unchecked Sendable {
  // Guard: `group` orders the write before the read.
  private var data = Data()
  private let group = DispatchGroup()

  init(_ handle: FileHandle) {
    DispatchQueue.global().async(group: group) {
      self.data = (try? handle.readToEnd()) ?? Data()
    }
  }

  func bytes() -> Data {
    group.wait()
    return data
  }
}
