// Former names, for those who used them before the first release.

/// The former name of ``ExpectationFailure``.
@available(*, deprecated, renamed: "ExpectationFailure")
public typealias UnmetExpectation = ExpectationFailure

/// The former name of ``ContractViolations``.
@available(*, deprecated, renamed: "ContractViolations")
public typealias RecordedViolations = ContractViolations

/// The former name of ``InMemoryHubConnection``.
@available(*, deprecated, renamed: "InMemoryHubConnection")
public typealias InMemoryHubLink = InMemoryHubConnection
