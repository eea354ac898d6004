public import SectileCore

extension DataSourceError.Code {
  /// One of the sources a composition is made of failed; the others stand.
  public static let inputFailed = Self("inputFailed")
  /// One of the sources a composition is made of was cancelled while it was loading.
  public static let inputCancelled = Self("inputCancelled")
}

extension DataSourceError {
  /// Where sources of a composition failed: the error of each, in the order in which they failed;
  /// nothing for other errors.
  ///
  /// Each names its source, and has what the source told as its `cause`.
  ///
  /// ```swift
  /// case .didFail(let error as DataSourceError):
  ///   for failure in error.sourceErrors { print(failure.message) }   // one line for each source
  /// ```
  public var sourceErrors: [any Error] {
    if let failures = cause as? InputFailures { return failures.errors }
    return code == .inputFailed || code == .inputCancelled ? [self] : []
  }

  static func inputFailed(name: String, cause: any Error) -> DataSourceError {
    DataSourceError(
      code: .inputFailed, message: "The source \(name) could not be loaded: \(cause)",
      hint: "What the other sources have is shown; load again to try again.", cause: cause)
  }

  static func inputCancelled(_ name: String) -> DataSourceError {
    DataSourceError(
      code: .inputCancelled, message: "The source \(name) was cancelled while it was loading.",
      hint: "What it had until then is shown; load again to try again.")
  }

  /// Returns what a load ends with in which something failed: the one error, or one that tells of
  /// all.
  static func joining(_ errors: [any Error]) -> any Error {
    guard errors.count > 1 else { return errors[0] }
    let isCancelled = errors.allSatisfy { ($0 as? DataSourceError)?.code == .inputCancelled }
    let messages = errors.map { ($0 as? DataSourceError)?.message ?? "\($0)" }
    return DataSourceError(
      code: isCancelled ? .inputCancelled : .inputFailed,
      message: "\(errors.count) sources failed. " + messages.joined(separator: " "),
      hint: "What the other sources have is shown; load again to try again.",
      cause: InputFailures(errors: errors))
  }
}

/// What went wrong in several inputs during one load.
private struct InputFailures: Error, CustomStringConvertible {
  let errors: [any Error]

  var description: String { errors.map { "\($0)" }.joined(separator: " ") }
}
