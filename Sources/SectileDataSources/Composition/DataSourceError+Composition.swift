public import SectileCore

extension DataSourceError.Code {
  /// One of the sources a composition is made of failed; the others stand.
  public static let inputFailed = Self("inputFailed")
  /// One of the sources a composition is made of was cancelled while it was loading.
  public static let inputCancelled = Self("inputCancelled")
}

extension DataSourceError {
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
}
