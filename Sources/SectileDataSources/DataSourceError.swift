/// Says why a source cannot do what it was asked for.
public struct DataSourceError: Error, Sendable {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
      case duplicateIdentity
      case noSuchPath
      case inputFailed
      case inputCancelled
    }

    private let kind: Kind

    /// Two items share an identity.
    public static let duplicateIdentity = Code(kind: .duplicateIdentity)
    /// The source has no item at the path.
    public static let noSuchPath = Code(kind: .noSuchPath)
    /// One of the sources a composition is made of failed; the others stand.
    public static let inputFailed = Code(kind: .inputFailed)
    /// One of the sources a composition is made of was cancelled while it was loading.
    public static let inputCancelled = Code(kind: .inputCancelled)
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do next.
  public let hint: String?
  /// What caused it, where that is known.
  public let cause: (any Error)?

  package init(
    code: Code, message: String, hint: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }
}

extension DataSourceError: CustomStringConvertible {
  /// The message, and the hint where there is one.
  public var description: String {
    hint.map { "\(message) \($0)" } ?? message
  }
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
