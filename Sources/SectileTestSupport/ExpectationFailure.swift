/// What a test expected and what it found, one above the other, and the difference.
///
/// ```text
/// The contents are not the expected ones.
/// expected: A: Emma | B: "War and Peace"
/// found:    A: Emma | B: Middlemarch
///   A: Emma
/// - B: "War and Peace"
/// + B: Middlemarch
/// ```
///
/// A line that begins with `-` was expected and is not there; one that begins with `+` is there and
/// was not expected.
public struct ExpectationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The whole text.
  public let description: String

  init(_ headline: String, expected: [String], found: [String], notes: [String] = []) {
    var lines = [headline]
    lines += notes
    lines += Self.difference(from: expected, to: found)
    description = lines.joined(separator: "\n")
  }

  /// Returns all lines of both, those that only one has with a sign.
  private static func difference(from expected: [String], to found: [String]) -> [String] {
    let changes = found.difference(from: expected)
    let removed = Set(
      changes.removals.map { if case .remove(let offset, _, _) = $0 { offset } else { -1 } })
    let inserted = Set(
      changes.insertions.map { if case .insert(let offset, _, _) = $0 { offset } else { -1 } })
    var lines: [String] = []
    var (old, new) = (0, 0)
    while old < expected.count || new < found.count {
      if old < expected.count, removed.contains(old) {
        lines.append("- \(expected[old])")
        old += 1
      } else if new < found.count, inserted.contains(new) {
        lines.append("+ \(found[new])")
        new += 1
      } else {
        lines.append("  \(expected[old])")
        old += 1
        new += 1
      }
    }
    return lines
  }
}
