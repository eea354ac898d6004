/// The promises a source broke, as ``ChangeRecorder/check()`` throws them.
public struct ContractViolations: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was broken, one sentence each, in the order in which it was seen.
  public let violations: [String]

  /// Creates an error that reports the given violations.
  public init(_ violations: [String]) {
    self.violations = violations
  }

  /// The violations, one a line.
  public var description: String { violations.joined(separator: "\n") }
}
