public import SectileCore

extension DataSourceError.Code {
  /// A list of parts has a part of that identity, or one that is printed alike.
  public static let duplicatePart = Self("duplicatePart")
  /// A list of parts has no part of that identity.
  public static let noSuchPart = Self("noSuchPart")
}

extension DataSourceError {
  static func duplicatePart(_ text: String) -> DataSourceError {
    DataSourceError(
      code: .duplicatePart, message: "There is a part of that identity already.",
      hint: "Remove it first, or give the parts identities that are printed differently.",
      identity: text)
  }

  static func noSuchPart(_ text: String) -> DataSourceError {
    DataSourceError(
      code: .noSuchPart, message: "There is no part of that identity.",
      hint: "Another thread may have removed it; the list's parts tell which there are.",
      identity: text)
  }
}
