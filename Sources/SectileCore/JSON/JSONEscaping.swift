/// Which characters of a text JSON writes as escapes, and how.
package struct JSONEscaping: Sendable {
  /// Whether a character is escaped besides quotes and backslashes; nil for what has to be.
  let isUnsafe: (@Sendable (Unicode.Scalar) -> Bool)?

  /// What has to be escaped, and DEL, in the shortest way: a line feed is `\n`.
  package static let shortest = JSONEscaping(isUnsafe: nil)

  /// What has to be escaped, and what a closure says, always by number: a line feed is `\u000a`.
  package static func numbers(
    of isUnsafe: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) -> JSONEscaping { JSONEscaping(isUnsafe: isUnsafe) }
}
