import Testing

@testable import SectileStore

extension Trait where Self == ConditionTrait {
  /// For tests that internal checks would stop or change: somebody writes past the change log, so
  /// that results are wrong for a while, or work is counted, to which the checks add theirs.
  static var withoutInternalChecks: Self {
    .disabled(if: InternalChecks.isOn, "Internal checks would find what the test does on purpose")
  }
}
