/// What the rows of an ``HTMLList`` are.
public struct HTMLListStyle: Hashable, Sendable {
  /// The element that holds a section's rows.
  let container: String
  /// The element around the rows inside of it, if there is one.
  let body: String?
  /// The element of a row.
  let row: String

  /// A list, `ul`; a row is an `li`.
  public static let list = HTMLListStyle(container: "ul", body: nil, row: "li")
  /// A table; a row is a `tr`, and a cell holds its columns: see ``HTMLFragment/cells(_:)``.
  public static let table = HTMLListStyle(container: "table", body: "tbody", row: "tr")
}
