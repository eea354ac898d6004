internal import Sectile

extension ScreenModel {
  /// Whether rows are being searched: ``searchOn(upTo:)`` has something to do.
  var isSearching: Bool { search?.walk != nil }

  /// Begins to search for a text, from the chosen row on, or from the first one in sight; no text
  /// ends the search.
  mutating func beginSearch(for text: String) {
    search = text.isEmpty ? nil : ScreenSearch(text)
    searchOn(by: 1)
  }

  /// Begins to search for the next match, or with -1 for the previous one.
  mutating func searchOn(by step: Int) {
    guard search != nil, let geometry else { return }
    let contents = geometry.contents
    let chosen = cursor.flatMap { contents.path(of: $0) }
    let first = chosen ?? geometry.row(from: top, by: 1) ?? ItemPath(section: 0, item: 0)
    let rank = contents.rowCount == 0 ? 0 : contents.rank(of: first)
    search?.walk = ScreenSearch.Walk(rank: chosen == nil ? rank : rank + step, step: step)
  }

  /// Searches on, and goes to the match if there is one.
  ///
  /// Rows that move meanwhile may be passed over, as may those that cannot be read at the moment.
  ///
  /// - Parameters:
  ///   - limit: How many rows are looked at.
  ///   - isInTime: Whether there is time for one more: large values take long, as do rows that are
  ///     locked.
  mutating func searchOn(upTo limit: Int, while isInTime: () -> Bool = { true }) {
    guard let search, var walk = search.walk, let contents else { return }
    let total = contents.rowCount
    for _ in 0..<limit {
      // The rows are in a circle.
      let rank = total == 0 ? 0 : (walk.rank % total + total) % total
      guard walk.count < total, let path = contents.path(atRank: rank) else {
        self.search?.walk = nil
        notice = Notice(text: "no row contains \(search.text)", isProblem: true)
        return
      }
      if let values = contents.values(at: path), values.contains(where: { search.matches($0) }) {
        self.search?.walk = nil
        let isAround = walk.rank != rank
        if isAround { notice = Notice(text: "went on at the other end", isProblem: false) }
        unfold(path.section)
        choose(path)
        return
      }
      walk.rank += walk.step
      walk.count += 1
      if !isInTime() { break }
    }
    self.search?.walk = walk
  }

  /// What the last line says of the search.
  var searchText: String? {
    guard let search else { return nil }
    guard let walk = search.walk, let total = contents?.rowCount, total > 0 else {
      return "/" + search.text
    }
    return "/\(search.text)  … \(min(100, walk.count * 100 / total)) %"
  }
}
