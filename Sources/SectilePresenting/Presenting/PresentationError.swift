/// Says why something cannot be shown.
public struct PresentationError: Error, Hashable, Sendable {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
      case unknownKind
    }

    private let kind: Kind

    /// A presenter chose a kind of cell that was not registered.
    public static let unknownKind = Code(kind: .unknownKind)
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do next.
  public let hint: String?

  init(code: Code, message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension PresentationError: CustomStringConvertible {
  /// The message, and the hint where there is one.
  public var description: String {
    hint.map { "\(message) \($0)" } ?? message
  }
}
