public import SectileCore

/// Says why something cannot be shown.
public struct PresentationError: SectileError, Hashable, Sendable {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String, Sendable {
      case unknownKind
    }

    private let kind: Kind

    /// The code's name.
    public var description: String { kind.rawValue }

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

extension PresentationError {
  /// The message, and the hint where there is one.
  public var description: String {
    hint.map { "\(message) \($0)" } ?? message
  }
}
