public import SectileCore
internal import Synchronization

/// Shows a source as a table on a terminal: aligned columns, each section below its title.
///
/// ```text
/// fruit
///   apple    12
///   日本梨    3
/// 2 kinds of fruit
/// ```
///
/// Wide characters and combining marks count as a terminal shows them, and whatever a terminal
/// could act upon is written out, in titles as in cells. The table is written whole with every
/// change: below the former one in a log, over it on a screen.
///
/// ```swift
/// let table = TerminalTable<String>(columns: ["name", "stock"]) { print($0, terminator: "") }
/// let adapter = Adapter(source: foods, presenter: presenter, target: table)
/// ```
///
/// Cells are made for the rows that are written, once for each contents of an item.
public final class TerminalTable<ItemID: Hashable & Sendable>: PresentationTarget {
  /// What shows an item.
  public typealias Cell = TextRow

  // MARK: - Mutable state
  //
  // Guarded by `state`. The adapter makes one call at a time; cells are made outside of the mutex.
  private struct State {
    /// Cells that were made, of rows that were written.
    var cells: [IdentityKey<ItemID>: TextRow] = [:]
    var lines: [String] = []
    /// How many lines stand on the screen.
    var drawnLines = 0
  }

  private let columns: [String]
  private let surface: TerminalSurface
  private let write: @Sendable (String) throws -> Void
  private let state = Mutex(State())

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - columns: The columns' names; empty for a table without a head.
  ///   - surface: Where it is written.
  ///   - write: Writes text as it is, line ends included.
  public init(
    columns: [String] = [], on surface: TerminalSurface = .log(),
    write: @escaping @Sendable (String) throws -> Void
  ) {
    self.columns = columns
    self.surface = surface
    self.write = write
  }

  /// The table as it was written last, line by line.
  public var lines: [String] { state.withLock { $0.lines } }

  /// Writes the table.
  ///
  /// - Throws: What making a cell, or writing, throws.
  public func reload(_ contents: any PresentedContents<ItemID, TextRow>) throws {
    try draw(contents, known: [:])
  }

  /// Writes the table anew, with new cells where items are new or changed.
  ///
  /// - Throws: What making a cell, or writing, throws.
  public func update(_ update: PresentationUpdate<ItemID, TextRow>) throws {
    var known = state.withLock { $0.cells }
    for change in update.changes.deletes { known[IdentityKey(change.id)] = nil }
    for change in update.changes.moves where change.isContentChanged {
      known[IdentityKey(change.id)] = nil
    }
    for change in update.changes.updates { known[IdentityKey(change.id)] = nil }
    try draw(update.contents, known: known)
  }

  private func draw(
    _ contents: any PresentedContents<ItemID, TextRow>, known: [IdentityKey<ItemID>: TextRow]
  ) throws {
    let columnHeadLines = columns.isEmpty ? 0 : 2
    var layout = TableLayout(known: known, lineLimit: surface.lineLimit - columnHeadLines)
    try layout.read(contents)
    var lines = Array(layout.lines(columns: columns).prefix(surface.lineLimit))
    if let width = surface.width { lines = lines.map { TerminalText.truncated($0, to: width) } }
    let drawnLines = state.withLock { $0.drawnLines }
    var text = lines.map { $0 + "\n" }.joined()
    if surface.isScreen, drawnLines > 0 {
      // Up to the first line of the former table, and clear from there on.
      text = "\u{1B}[\(drawnLines)F\u{1B}[J" + text
    }
    try write(text)
    let next = State(cells: layout.cells, lines: lines, drawnLines: lines.count)
    let former = state.withLock { state in
      defer { state = next }
      return state
    }
    // Identities are the user's: they are released outside of the lock.
    withExtendedLifetime(former) {}
  }
}
