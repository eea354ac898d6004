internal import Sectile

/// What the screen of a watch shows, and how keys and changes alter it; knows no terminal.
///
/// ```
/// line 0      title: file, table, counts, version, state
/// line 1      the condition that was typed, if there is one
/// next line   the columns' names
/// next…       the head of the section that is looked at, always; then rows and heads. Rows that
///             are not grouped have no heads
/// last line   what has just changed or is being typed, keys
/// ```
///
/// Of the contents only the rows that are visible are read, and those that are searched.
struct ScreenModel {
  /// What the title says of the watch.
  struct Status: Hashable, Sendable {
    var file = ""
    var table = ""
    var state = "loading"
    var isFailed = false
    var lastChange: String?
  }

  /// What the last line says until the next key is pressed.
  struct Notice: Hashable, Sendable {
    let text: String
    let isProblem: Bool
  }

  /// What the title says.
  var status = Status()
  /// The columns that are shown.
  private(set) var columns: [String] = []
  /// How many columns and lines the terminal has.
  private(set) var size = (columns: 80, lines: 24)
  /// The line of the contents that the body begins with.
  var top = 0
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

  /// Whether a key has asked for the end.
  private(set) var isQuitting = false
  var notice: Notice?
  /// The line of text that is being typed; nil for none.
  var entry: ScreenEntry?
  var search: ScreenSearch?
  /// The chosen row; see ``moveCursor(by:)``.
  var cursor: UntypedRow.ID?
  /// The row that is shown whole instead of all rows; nil for none.
  var openRow: ScreenRow?
  /// The condition that the rows meet, as it was typed; nil for none.
  var filter: String?
  /// The condition that was typed last, to be corrected or changed.
  var typedCondition = ""
  /// The condition that the watch has yet to be asked for.
  var wantedFilter: WatchFilter.Wish?

  /// The lines that are needed for anything but rows.
  static let frameLines = 3

  /// How many lines show heads and rows.
  var bodyLines: Int { max(0, size.lines - Self.frameLines - (filter == nil ? 0 : 1)) }

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
    cursor = nil
    openRow = nil
    search?.walk = nil
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
    keepCursor(since: before)
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

  /// Whether something stands out for a while.
  var hasHighlights: Bool { !highlights.isEmpty || openRow?.hasHighlights == true }

  mutating func expireHighlights(at time: Double) {
    highlights.expire(at: time)
    openRow?.expireHighlights(at: time)
  }

  // MARK: - Keys

  /// Does what the input asks for.
  mutating func take(_ input: ScreenInput) {
    notice = nil
    switch input {
    // Ctrl-C and Ctrl-D end a line of text, too.
    case .character("\u{3}"), .character("\u{4}"): press(.quit)
    case _ where entry != nil: takeIntoEntry(input)
    case .key(let key): press(key)
    case .character(let character): press(ScreenKey(character))
    }
  }

  /// Does what a key asks for.
  mutating func press(_ key: ScreenKey) {
    if key == .quit { isQuitting = true }
    if showsHelp {
      showsHelp = false
      return
    }
    if openRow != nil, key != .help { return pressInRow(key) }
    switch key {
    case .up: go(by: -1)
    case .down: go(by: 1)
    case .pageUp: go(by: -max(1, bodyLines - 2))
    case .pageDown: go(by: max(1, bodyLines - 2))
    case .home: go(to: 0, by: 1)
    case .end: go(to: .max, by: -1)
    case .next where search != nil: searchOn(by: 1)
    case .next, .nextSection: jump(by: 1)
    case .previousMatch: searchOn(by: -1)
    case .previousSection: jump(by: -1)
    case .fold: fold()
    case .follow: isFollowing.toggle()
    case .left: layout.shift(by: -1)
    case .right: layout.shift(by: 1)
    case .search: entry = ScreenEntry(.search)
    case .filter: entry = ScreenEntry(.filter, text: typedCondition)
    case .enter: openChosenRow()
    case .escape: escape()
    case .help: showsHelp = true
    case .quit, .other: break
    }
  }

  private mutating func go(by distance: Int) {
    if cursorPath == nil {
      scroll(by: distance)
    } else {
      moveCursor(by: distance)
    }
  }

  private mutating func go(to line: Int, by step: Int) {
    guard cursorPath != nil, let geometry else { return scroll(to: line) }
    moveCursor(near: max(0, min(line, geometry.lineCount - 1)), by: step)
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
    let chosen = cursorPath
    let place =
      chosen.map { ScreenGeometry.Place.row($0) } ?? geometry.place(ofLine: top) ?? .head(0)
    var section = place.section + distance
    // Going back leads to the beginning of the section first.
    if distance < 0, case .row(let path) = place, chosen == nil || path.item > 0 {
      section = place.section
    }
    section = max(0, min(section, geometry.contents.sectionCount - 1))
    let line = geometry.line(ofHead: section)
    if chosen != nil { moveCursor(near: line, by: 1) }
    top = line
  }

  private mutating func fold() {
    guard hasHeads, let geometry,
      let section = cursorPath?.section ?? geometry.place(ofLine: top)?.section
    else { return }
    let identity = geometry.contents.identity(ofSection: section)
    if folded.remove(identity) == nil { folded.insert(identity) }
    // Above the chosen row's section everything stays where it is.
    top = min(top, self.geometry.map { $0.line(ofHead: section) } ?? 0)
  }

  /// Shows the rows of a section that may be folded.
  mutating func unfold(_ section: Int) {
    if let contents { folded.remove(contents.identity(ofSection: section)) }
  }
}
