public import SectileCore

/// Throws unless a source shows what a diagram draws.
///
/// ```swift
/// try expect(results, shows: "A: Emma | B: \"War and Peace\"") { $0.title }
/// ```
///
/// - Parameters:
///   - source: The source; nothing may change it meanwhile.
///   - diagram: The sections and items, in order; see ``SectionDiagram``.
///   - label: Returns an item's `id` or `id=contents`, as the diagram has them.
/// - Throws: ``ExpectationFailure``, which shows both pictures and the difference; what reading an
///   item throws.
public func expect<ItemID: Hashable & Sendable, Item: Sendable>(
  _ source: any DataSource<ItemID, Item>, shows diagram: SectionDiagram, label: (Item) -> String
) throws {
  let shown = try SectionDiagram(of: source, label: label)
  guard shown != diagram else { return }
  throw ExpectationFailure(
    "\(source.name) does not show what is expected.", expected: diagram.lines, found: shown.lines,
    notes: ["expected: \(diagram)", "found:    \(shown)"])
}

/// Throws unless a source shows what a diagram draws, each item by its identity.
///
/// See ``expect(_:shows:label:)`` for more information.
public func expect<ItemID: Hashable & Sendable, Item: Identifiable & Sendable>(
  _ source: any DataSource<ItemID, Item>, shows diagram: SectionDiagram
) throws {
  try expect(source, shows: diagram) { "\($0.id)" }
}

extension SectionDiagram {
  /// The sections, one a line.
  fileprivate var lines: [String] { sections.map { "\($0)" } }
}
