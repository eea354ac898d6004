import Testing

@testable import SectileStore

extension Trait where Self == ConditionTrait {
  /// For tests in which somebody writes past the change log: live results are wrong for a while,
  /// and the internal checks would stop the process then.
  static var withoutInternalChecks: Self {
    .disabled(if: InternalChecks.isOn, "The results are wrong for a while, on purpose")
  }
}
