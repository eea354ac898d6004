/// Says why a source cannot do what it was asked for.
public struct DataSourceError: SectileError {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable {
    private let name: String

    package init(_ name: String) {
      self.name = name
    }

    /// Two items share an identity.
    public static let duplicateIdentity = Code("duplicateIdentity")
    /// The source has no item at the path.
    public static let noSuchPath = Code("noSuchPath")
    /// The source is gone: nobody has kept it.
    public static let sourceReleased = Code("sourceReleased")
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do next.
  public let hint: String?
  /// What caused it, where that is known.
  public let cause: (any Error)?
  private let withheld: Withheld<String>

  /// The identity that the error is about, as text; nil where it is about none.
  ///
  /// It may be an e-mail address, so neither the message nor printing the error shows it.
  public var identity: String? { withheld.value }

  package init(
    code: Code, message: String, hint: String? = nil, cause: (any Error)? = nil,
    identity: String? = nil
  ) {
    withheld = Withheld(identity)
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }
}

extension DataSourceError {
  /// The message, and the hint where there is one.
  public var description: String {
    hint.map { "\(message) \($0)" } ?? message
  }
}

extension DataSourceError {
  /// Creates the error of a path at which there is no item.
  package static func noSuchPath(_ path: ItemPath) -> DataSourceError {
    DataSourceError(
      code: .noSuchPath, message: "There is no item at \(path).",
      hint: "Paths belong to one version of the contents; look the item up with path(of:).")
  }

  /// Creates the error of a path in a source that shows nothing, since nobody has loaded it.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - what: What is not loaded, in the plural.
  /// - Returns: The error.
  package static func notLoaded(_ path: ItemPath, _ what: String) -> DataSourceError {
    DataSourceError(
      code: .noSuchPath, message: "There is no item at \(path): \(what) are not loaded yet.",
      hint: "Call load() first, and see what it throws.")
  }

  /// Creates the error of whoever needs a source that it does not keep itself.
  ///
  /// - Parameter user: Who needs it.
  /// - Returns: The error.
  package static func sourceReleased(for user: String) -> DataSourceError {
    DataSourceError(
      code: .sourceReleased, message: "The source of the \(user) was released.",
      hint: "Keep the source as long as its \(user), which holds it weakly.")
  }
}

extension DataSourceError.Code: CustomStringConvertible {
  /// The code's name.
  public var description: String { name }
}
