import Foundation
import SectileTestHelpers

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
  ///   - folder: The folder it runs in; that of the tests without one.
  ///   - limit: After how many seconds it is killed.
  /// - Throws: Where the binary cannot be started.
  init(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:],
    in folder: TemporaryFolder? = nil, limit: Double = 300
  ) throws {
    let run = try ProgramRun(
      Self.program.path, arguments, input: Data((input ?? "").utf8), environment: environment,
      in: folder?.url, limit: limit)
    output = String(decoding: run.output, as: UTF8.self)
    errors = String(decoding: run.errors, as: UTF8.self)
    code = run.code
    hasExited = run.hasExited
  }

  /// The binary that was built beside the tests.
  static var program: URL {
    // The test runner and the products of the package share one folder.
    let tests = URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("sectile")
  }

  /// Gives Ctrl-C its meaning back: who runs in the background of a shell ignores it, and so do
  /// those it starts.
  private static let heedsInterrupts: Void = { _ = signal(SIGINT, SIG_DFL) }()

  /// Returns a process that is ready to run the binary.
  static func process(_ arguments: [String], environment: [String: String] = [:]) throws -> Process
  {
    heedsInterrupts
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return process
  }
}
