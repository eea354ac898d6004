internal import Sectile

/// What the screen of a watch shows, and how keys and changes alter it; knows no terminal.
///
/// ```
/// line 0      title: file, table, counts, version, state
/// line 1      the columns' names
/// line 2…     the head of the section that is looked at, always; then rows and heads. Rows that
///             are not grouped have no heads
/// last line   what has just changed, keys
/// ```
///
/// Of the contents only the rows that are visible are read.
struct ScreenModel {
  /// What the title says of the watch.
  struct Status: Hashable, Sendable {
    var file = ""
    var table = ""
    var state = "loading"
    var isFailed = false
    var lastChange: String?
  }

  /// What the title says.
  var status = Status()
  /// The columns that are shown.
  private(set) var columns: [String] = []
  /// How many columns and lines the terminal has.
  private(set) var size = (columns: 80, lines: 24)
  /// The line of the contents that the body begins with.
  private(set) var top = 0
  /// Whether changes are scrolled to.
  private(set) var isFollowing = false
  /// Whether the keys are explained instead of showing rows.
  private(set) var showsHelp = false
  private(set) var highlights = ScreenHighlights()

  var layout = ScreenColumns()
  private(set) var contents: (any ScreenContents)?
  private var folded: Set<StoredValue> = []
  /// Whether rows are grouped.
  private(set) var hasHeads = true

  /// The lines that are needed for anything but rows.
  private static let frameLines = 3

  /// How many lines show heads and rows.
  var bodyLines: Int { max(0, size.lines - Self.frameLines) }

  var geometry: ScreenGeometry? {
    contents.map { ScreenGeometry($0, folded: folded, hasHeads: hasHeads) }
  }

  // MARK: - What happens

  /// Begins with contents that have other columns.
  ///
  /// - Parameters:
  ///   - columns: The columns' names.
  ///   - key: Those that tell rows apart, which stay in sight.
  ///   - hasHeads: Whether rows are grouped, so that each section has a head.
  mutating func begin(columns: [String], key: [String] = [], hasHeads: Bool = true) {
    self.columns = columns
    self.hasHeads = hasHeads
    layout = ScreenColumns(names: columns, key: key)
    highlights.removeAll()
    contents = nil
    top = 0
  }

  mutating func resize(columns: Int, lines: Int) {
    size = (max(1, columns), max(1, lines))
    scroll(to: top)
  }

  /// Shows other contents; the row at the top stays where it is, unless that is the very beginning.
  mutating func show(_ next: any ScreenContents) {
    let before = geometry
    contents = next
    guard let before, let after = geometry, top > 0 else { return scroll(to: top) }
    scroll(to: Self.line(near: top, of: before, in: after) ?? top)
  }

  /// Where the first line from a line on that still exists is now.
  private static func line(
    near top: Int, of before: ScreenGeometry, in after: ScreenGeometry
  ) -> Int? {
    // Many rows may be gone at once; then any place is as good as another.
    for line in top..<(top + 100) {
      switch before.place(ofLine: line) {
      case .row(let path)?:
        let id = before.contents.id(at: path)
        if let path = after.contents.path(of: id) { return after.line(of: path) - (line - top) }
      case .head(let section)?:
        let identity = before.contents.identity(ofSection: section)
        if let section = after.contents.section(of: identity) {
          return after.line(ofHead: section) - (line - top)
        }
      case nil: return nil
      }
    }
    return nil
  }

  /// Makes rows stand out, and scrolls to the first of them when changes are followed.
  mutating func highlight(
    _ changed: [(UntypedRow.ID, ScreenHighlights.Kind)], deletes: Int, at time: Double
  ) {
    highlights.insert(changed, at: time)
    highlights.insert(deletes: deletes, at: time)
    guard isFollowing, let geometry,
      let path = changed.lazy.compactMap({ geometry.contents.path(of: $0.0) }).first
    else { return }
    let line = geometry.line(of: path)
    if line <= top || line >= top + bodyLines - 1 { scroll(to: line - bodyLines / 2) }
  }

  mutating func expireHighlights(at time: Double) {
    highlights.expire(at: time)
  }

  // MARK: - Keys

  /// Does what a key asks for.
  mutating func press(_ key: ScreenKey) {
    if showsHelp {
      showsHelp = false
      return
    }
    switch key {
    case .up: scroll(by: -1)
    case .down: scroll(by: 1)
    case .pageUp: scroll(by: -max(1, bodyLines - 2))
    case .pageDown: scroll(by: max(1, bodyLines - 2))
    case .home: scroll(to: 0)
    case .end: scroll(to: .max)
    case .nextSection: jump(by: 1)
    case .previousSection: jump(by: -1)
    case .fold: fold()
    case .follow: isFollowing.toggle()
    case .left: layout.shift(by: -1)
    case .right: layout.shift(by: 1)
    case .help: showsHelp = true
    case .quit, .other: break
    }
  }

  private mutating func scroll(by distance: Int) {
    guard let geometry else { return }
    var line = top + distance
    // The head stays in sight, so a head and its first row would be one picture.
    if hasHeads, case .row(let path) = geometry.place(ofLine: line), path.item == 0 {
      line += distance > 0 ? 1 : -1
    }
    // What a jump has scrolled past the end is not scrolled back by going on.
    if distance > 0 && line > maximum(of: geometry) { line = max(top, maximum(of: geometry)) }
    top = max(0, line)
  }

  private mutating func scroll(to line: Int) {
    top = geometry.map { max(0, min(line, maximum(of: $0))) } ?? 0
  }

  /// The last line that may be at the top with the end of everything in sight.
  private func maximum(of geometry: ScreenGeometry) -> Int {
    let line = max(0, geometry.lineCount - bodyLines)
    guard hasHeads, line > 0, case .row = geometry.place(ofLine: line) else { return line }
    // The head above it takes a line.
    return min(line + 1, geometry.lineCount - 1)
  }

  private mutating func jump(by distance: Int) {
    guard let geometry, geometry.contents.sectionCount > 0 else { return }
    let place = geometry.place(ofLine: top) ?? .head(0)
    var section = place.section + distance
    // Going back leads to the beginning of the section first.
    if distance < 0, case .row = place { section = place.section }
    section = max(0, min(section, geometry.contents.sectionCount - 1))
    top = geometry.line(ofHead: section)
  }

  private mutating func fold() {
    guard hasHeads, let geometry, let place = geometry.place(ofLine: top) else { return }
    let identity = geometry.contents.identity(ofSection: place.section)
    if folded.remove(identity) == nil { folded.insert(identity) }
    top = self.geometry.map { $0.line(ofHead: place.section) } ?? 0
  }
}
