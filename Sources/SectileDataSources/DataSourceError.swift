/// Says why a source cannot do what it was asked for.
public struct DataSourceError: Error, Hashable, Sendable {
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
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do next.
  public let hint: String?

  package init(code: Code, message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension DataSourceError: CustomStringConvertible {
  /// The message, and the hint where there is one.
  public var description: String {
    hint.map { "\(message) \($0)" } ?? message
  }
}

extension DataSourceError.Code: CustomStringConvertible {
  /// The code's name.
  public var description: String { name }
}
