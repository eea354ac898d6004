/// Why a changeset could not be made, applied, merged or decoded.
public struct ChangesetError: SectileError, Hashable, Sendable {
  /// A kind of failure, to be compared with `==`; more kinds may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case duplicateIdentity
      case versionMismatch
      case inconsistentChanges
      case unknownFormat
    }

    private let kind: Kind

    private init(_ kind: Kind) {
      self.kind = kind
    }

    /// The code's name.
    public var description: String { kind.rawValue }

    /// Two rows, or two sections, of the contents have one identity.
    public static var duplicateIdentity: Code { Code(.duplicateIdentity) }
    /// The changeset leads from another version than the contents, or the other changeset, have.
    public static var versionMismatch: Code { Code(.versionMismatch) }
    /// The changeset names sections or rows that the contents do not have at its positions.
    public static var inconsistentChanges: Code { Code(.inconsistentChanges) }
    /// The encoded changeset has a format that this version of the library does not know.
    public static var unknownFormat: Code { Code(.unknownFormat) }
  }

  /// What kind of failure it is.
  public let code: Code
  /// What happened, with the versions or paths concerned.
  public let message: String
  /// What to do next.
  public let hint: String?
  private let withheld: Withheld<String>

  /// The identity of the row or section that the error is about, as text; nil where it is about
  /// none.
  ///
  /// It may be an e-mail address, so neither the message nor printing the error shows it.
  public var identity: String? { withheld.value }

  package init(code: Code, message: String, hint: String? = nil, identity: String? = nil) {
    withheld = Withheld(identity)
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension ChangesetError {
  /// The message, and the hint where there is one, in one line.
  public var description: String {
    hint.map { "\(message) Hint: \($0)" } ?? message
  }
}

extension ChangesetError {
  /// Creates the error of two sections, or two rows, with one identity.
  static func duplicate(_ what: String, _ identity: String) -> ChangesetError {
    ChangesetError(
      code: .duplicateIdentity, message: "Two \(what) have one identity.",
      hint: "Give every row of a source, and every section, an identity of its own.",
      identity: identity)
  }
}
