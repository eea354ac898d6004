import Synchronization

/// What the examples of a suite print, line by line.
final class Transcript: Sendable {
  private let printed = Mutex<[String]>([])

  var lines: [String] { printed.withLock { $0 } }

  func append(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    printed.withLock { $0 += lines }
  }
}

/// A suite whose examples print into a transcript.
protocol ExampleSuite: Sendable {
  var transcript: Transcript { get }
}

extension ExampleSuite {
  /// Stands in for the standard library's function of this name.
  func print(_ value: some Any) { transcript.append("\(value)") }
}
