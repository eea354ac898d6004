extension ScreenModel {
  /// Takes what was typed into the line of text.
  mutating func takeIntoEntry(_ input: ScreenInput) {
    guard var entry else { return }
    let step = entry.take(input)
    self.entry = step == .typing ? entry : nil
    guard step == .entered else { return }
    switch entry.purpose {
    case .search: beginSearch(for: entry.text)
    case .filter: wantFilter(entry.text)
    }
  }

  /// Asks for the rows that meet a condition; one of nothing but spaces is none.
  mutating func wantFilter(_ text: String?) {
    let condition = text?.allSatisfy { $0 == " " } == false ? text : nil
    typedCondition = condition ?? ""
    wantedFilter = WatchFilter.Wish(condition: condition)
    notice = Notice(text: "asking for the rows …", isProblem: false)
  }

  /// Returns the condition that the watch has to be asked for; nil for no change.
  mutating func takeWantedFilter() -> WatchFilter.Wish? {
    defer { wantedFilter = nil }
    return wantedFilter
  }

  /// Takes note of what became of a condition.
  mutating func filtered(_ answer: WatchFilter.Answer) {
    switch answer {
    case .met(let condition):
      filter = condition
      notice = nil
      resize(columns: size.columns, lines: size.lines)
    case .refused(let reason):
      notice = Notice(text: reason, isProblem: true)
    }
  }

  /// Leaves the search, or else the condition.
  mutating func escape() {
    if isSearching {
      search?.walk = nil
    } else if search != nil || cursor != nil {
      search = nil
      cursor = nil
    } else if filter != nil {
      wantFilter(nil)
    }
  }
}
