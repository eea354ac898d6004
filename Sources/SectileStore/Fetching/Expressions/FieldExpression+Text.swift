/// A value that is stored as text: `String`, and an optional one.
///
/// Only fields of such values offer the text operations of ``FieldExpression``.
public protocol TextStorable: StorableValue {}

extension String: TextStorable {}
extension Optional: TextStorable where Wrapped: TextStorable {}

extension FieldExpression where Value: TextStorable {
  /// Returns whether the text contains another, byte for byte: `instr(…, ?) > 0`.
  ///
  /// - Parameters:
  ///   - text: What to look for. Every text contains the empty one.
  ///   - caseInsensitive: Whether the 26 ASCII letters count as equal in both cases.
  /// - Returns: A condition.
  public func contains(_ text: String, caseInsensitive: Bool = false) -> FieldExpression<Bool> {
    .init(.infix(position(of: text, caseInsensitive), ">", .constant("0")))
  }

  /// Returns whether the text starts with another, byte for byte: `instr(…, ?) = 1`.
  ///
  /// - Parameters:
  ///   - text: The beginning. Every text starts with the empty one.
  ///   - caseInsensitive: Whether the 26 ASCII letters count as equal in both cases.
  /// - Returns: A condition.
  public func hasPrefix(_ text: String, caseInsensitive: Bool = false) -> FieldExpression<Bool> {
    .init(.infix(position(of: text, caseInsensitive), "=", .constant("1")))
  }

  /// Returns whether the text ends with another, byte for byte.
  ///
  /// Rendered with both sides as blobs, because SQLite's text functions stop at a NUL character:
  /// `coalesce(substr(CAST(… AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB),
  /// length(…) > 0)`.
  ///
  /// - Parameters:
  ///   - text: The end. Every text ends with the empty one.
  ///   - caseInsensitive: Whether the 26 ASCII letters count as equal in both cases.
  /// - Returns: A condition.
  public func hasSuffix(_ text: String, caseInsensitive: Bool = false) -> FieldExpression<Bool> {
    guard !text.isEmpty else { return hasPrefix(text) }
    let whole = SQLExpression.cast(folded(expression, caseInsensitive), "BLOB")
    let end = SQLExpression.cast(folded(SQLExpression(text), caseInsensitive), "BLOB")
    let tail = SQLExpression.call("substr", [whole, .prefix("-", .call("length", [end]))])
    // To SQLite a part of an empty blob is NULL; it has to be false, and NULL for NULL only.
    let hasText = SQLExpression.infix(.call("length", [expression]), ">", .constant("0"))
    return .init(.call("coalesce", [.infix(tail, "=", end), hasText]))
  }

  /// Returns whether the text matches a pattern: `… LIKE ?`, or `… LIKE ? ESCAPE ?`.
  ///
  /// `%` stands for any characters, `_` for one. SQLite ignores the case of ASCII letters here, and
  /// reads text up to its first NUL character.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - escape: The character that makes a following `%` or `_` stand for itself.
  /// - Returns: A condition.
  public func like(_ pattern: String, escape: Character? = nil) -> FieldExpression<Bool> {
    guard let escape else { return .infix(self, "LIKE", SQLExpression(pattern)) }
    return .init(
      .mixfix(
        expression, "LIKE", SQLExpression(pattern), "ESCAPE", SQLExpression(String(escape))))
  }

  /// Returns whether the text matches a pattern of the shell's kind, with `*`, `?` and `[…]`: `…
  /// GLOB ?`.
  ///
  /// Case matters; text is read up to its first NUL character.
  public func glob(_ pattern: String) -> FieldExpression<Bool> {
    .infix(self, "GLOB", SQLExpression(pattern))
  }

  /// The text with its upper-case ASCII letters in lower case: `lower(…)`.
  public var lowercased: FieldExpression<Value> { .init(.call("lower", [expression])) }

  /// The text with its lower-case ASCII letters in upper case: `upper(…)`.
  public var uppercased: FieldExpression<Value> { .init(.call("upper", [expression])) }

  /// The text without the spaces at both its ends: `trim(…)`.
  public var trimmed: FieldExpression<Value> { .init(.call("trim", [expression])) }

  /// How many Unicode code points the text has before its first NUL character: `length(…)`.
  public var length: FieldExpression<Int> { .init(.call("length", [expression])) }

  /// The first character in upper case, to group by: `sectile_first_letter(…)`.
  ///
  /// A character is what a reader takes for one: an emoji of several code points, and a letter with
  /// its accents. Case is Unicode's: `é` gives `É`, and `ß` gives `SS`. Both forms of `é`, composed
  /// or not, give the same bytes. A digit or a space is given as it is, so leave out spaces with
  /// ``trimmed``; the empty text gives itself, and NULL gives NULL:
  ///
  /// ```swift
  /// request.sectioned(by: \.name.trimmed.firstLetter, collation: .people)  // A, Ä, B, …
  /// ```
  ///
  /// The function is Sectile's own. Every connection of a store has it, and a schema cannot use it:
  /// no view, trigger or index. Since other releases of Unicode may have other capitals, results
  /// that use it are not resumed from a token by keys, but anew.
  ///
  /// - Complexity: Reads the beginning of the text only.
  public var firstLetter: FieldExpression<Value> {
    .init(.call(FirstLetter.function, [expression]))
  }

  private func position(of text: String, _ caseInsensitive: Bool) -> SQLExpression {
    .call(
      "instr",
      [folded(expression, caseInsensitive), folded(SQLExpression(text), caseInsensitive)])
  }

  private func folded(_ operand: SQLExpression, _ caseInsensitive: Bool) -> SQLExpression {
    caseInsensitive ? .call("lower", [operand]) : operand
  }
}

/// Returns a field's text followed by another: `… || ?`.
public func + <Value: TextStorable>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Value> {
  .init(.infix(left.expression, "||", SQLExpression(right)))
}

/// Returns a field's text followed by another field's: `… || …`.
public func + <Value: TextStorable>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Value> {
  .init(.infix(left.expression, "||", right.expression))
}
