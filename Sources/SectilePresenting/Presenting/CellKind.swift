/// Which of a presenter's kinds of cell shows an item.
///
/// A kind is a name: a presenter registers how cells of the kind are made, and chooses one for each
/// item. Lists that use cells again keep a pool for each kind.
///
/// ```swift
/// extension CellKind {
///   static let banner: CellKind = "banner"
/// }
/// ```
public struct CellKind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The kind's name.
  public let name: String

  /// Creates a kind.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates a kind from its name.
  public init(stringLiteral name: String) {
    self.name = name
  }

  /// The kind of a presenter that has one kind only.
  public static let standard: CellKind = "standard"

  /// The name.
  public var description: String { name }
}
