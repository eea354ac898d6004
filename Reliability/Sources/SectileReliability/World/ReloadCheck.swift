internal import Sectile
internal import Synchronization

/// Compares each version of live results with what was told of it, and with the states that the
/// file had.
final class ReloadCheck: DataSourceDelegate {
  static let sum = Aggregate.sum(\ReloadedRow.place)

  private struct State {
    var contents = SectionedContents<Int64, ReloadedRow>()
    /// Whether what was told is not known any more: see ``ReloadCheck/toldMayBeOverwritten``.
    var isLost = false
    /// Whether all rows were loaded once.
    var isLoaded = false
    /// Whether a load, or a change, is being told.
    var isTelling = false
    var lastNumber: Int64 = 0
    var versionCount = 0
    var problem: String?
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. A source makes one callback at a time.
  private let state = Mutex(State())
  private let states: FileStates
  /// Whether rows may be others by the time that they are told of, as on a queue, which holds no
  /// state: from then on only what is shown in the end is compared.
  private let toldMayBeOverwritten: Bool

  init(against states: FileStates, toldMayBeOverwritten: Bool) {
    self.states = states
    self.toldMayBeOverwritten = toldMayBeOverwritten
  }

  var isTelling: Bool { state.withLock { $0.isTelling } }
  var isLost: Bool { state.withLock { $0.isLost } }
  var problem: String? { state.withLock { $0.problem } }
  var versionCount: Int { state.withLock { $0.versionCount } }
  var contents: SectionedContents<Int64, ReloadedRow> { state.withLock { $0.contents } }

  func dataSourceWillLoad(_ source: any DataSource<Int64, ReloadedRow>) {
    state.withLock { $0.isTelling = true }
  }

  func dataSource(
    _ source: any DataSource<Int64, ReloadedRow>,
    didPartiallyLoad changes: Changeset<Int64, ReloadedRow>
  ) {
    if isLost { return }
    var contents = contents
    do {
      try contents.apply(changes)
    } catch let error as StoreError
      where error.code == .itemChangedElsewhere && toldMayBeOverwritten
    {
      return state.withLock { $0.isLost = true }
    } catch {
      return note("a changeset does not fit: \(error)")
    }
    let isLoaded = state.withLock { state in
      state.contents = contents
      state.versionCount += 1
      return state.isLoaded
    }
    if isLoaded { check(contents, source) }
  }

  func dataSourceDidFinishLoading(_ source: any DataSource<Int64, ReloadedRow>) {
    let wasLoaded = state.withLock { exchange(&$0.isLoaded, with: true) }
    if !wasLoaded, !isLost { check(contents, source) }
    state.withLock { $0.isTelling = false }
  }

  func dataSource(
    _ source: any DataSource<Int64, ReloadedRow>, didFailWith error: any Error
  ) {
    note("results failed: \(error)")
    state.withLock { $0.isTelling = false }
  }

  private func note(_ problem: String) {
    state.withLock { if $0.problem == nil { $0.problem = problem } }
  }

  private func check(
    _ contents: SectionedContents<Int64, ReloadedRow>,
    _ source: any DataSource<Int64, ReloadedRow>
  ) {
    if let problem = problem(contents, source) {
      note("version \(contents.version): \(problem)")
    }
  }

  private func problem(
    _ contents: SectionedContents<Int64, ReloadedRow>,
    _ source: any DataSource<Int64, ReloadedRow>
  ) -> String? {
    if source.version != contents.version { return "readers see version \(source.version)" }
    for (number, section) in contents.sections.enumerated() {
      guard source.numberOfItems(in: number) == section.rows.count else {
        return "told were \(section.rows.count) rows of section \(number), readers see others"
      }
      for (position, row) in section.rows.enumerated() {
        let path = ItemPath(section: number, item: position)
        guard source.path(of: row.id) == path else {
          return "told was \(row.id) at \(path), readers see it elsewhere"
        }
        let identity = section.header.identity
        if identity != .null, identity != .integer(row.item.part) {
          return "\(row.item) is in the section \(identity)"
        }
      }
    }
    let rows = contents.sections.flatMap { $0.rows.map(\.item) }
    if let problem = states.problem(rows) { return problem }
    if let sum = contents.aggregates[Self.sum], sum != rows.reduce(0, { $0 + $1.place }) {
      return "the sum is \(sum)"
    }
    let number = rows[0].number
    let last = state.withLock { exchange(&$0.lastNumber, with: number) }
    return number < last ? "the file had that before \(last) commits" : nil
  }
}
