internal import Sectile
internal import SectilePresenting

/// What TAB does to a line.
struct CompletionOffer: Equatable {
  /// How many candidates are listed at most.
  static let listLimit = 100

  /// How many characters before the cursor go away.
  var deleted = 0
  /// What takes their place.
  var inserted = ""
  /// What there is to choose from, where it is more than one.
  var candidates: [String] = []
  /// What is to be said about some of them: the types of columns.
  var notes: [String: String] = [:]

  /// Nothing is offered.
  static let none = CompletionOffer()

  /// Offers candidates for a word.
  ///
  /// Names with characters that a terminal could act upon are not offered: they could not be typed.
  ///
  /// - Parameters:
  ///   - word: What was typed of it.
  ///   - candidates: What it could become.
  ///   - ending: What follows a candidate that is the only one.
  init(_ word: String, _ candidates: [String], ending: (String) -> String = { _ in " " }) {
    var met: Set<String> = []
    let matches = candidates.filter { candidate in
      Self.starts(candidate, with: word)
        && !candidate.unicodeScalars.contains(where: TerminalText.isUnsafe)
        && met.insert(candidate).inserted
    }
    guard let first = matches.first else {
      self.init()
      return
    }
    if matches.count == 1 {
      self.init(deleted: word.unicodeScalars.count, inserted: first + ending(first))
      return
    }
    var common = Array(first)
    for match in matches {
      let shared = zip(common, match).prefix { $0.lowercased() == $1.lowercased() }.count
      common.removeLast(common.count - shared)
    }
    // Where it leads no further, the choice is shown; also where a name needs quotes before it.
    if common.count > word.count && matches.allSatisfy({ Self.begins($0, with: word) }) {
      self.init(deleted: word.unicodeScalars.count, inserted: String(common), candidates: [])
    } else {
      self.init(deleted: 0, inserted: "", candidates: matches)
    }
  }

  private init(deleted: Int = 0, inserted: String = "", candidates: [String] = []) {
    self.deleted = deleted
    self.inserted = inserted
    self.candidates = candidates
  }

  /// Whether a word could become a candidate, whose quotes need not have been typed.
  private static func starts(_ candidate: String, with word: String) -> Bool {
    if begins(candidate, with: word) { return true }
    let isQuoted = candidate.first == "\"" || candidate.first == "'"
    return isQuoted && begins(String(candidate.dropFirst()), with: word)
  }

  private static func begins(_ candidate: String, with word: String) -> Bool {
    candidate.count >= word.count && candidate.prefix(word.count).lowercased() == word.lowercased()
  }

  /// A note in brackets, safe to show, and no longer than notes should be.
  private static func shortened(_ note: String) -> String {
    "(" + TerminalText.truncated(TerminalText.escaped(String(note.prefix(40))), to: 20) + ")"
  }

  /// The candidates in columns, for below the line; empty where there is no choice.
  func listing(width: Int) -> String {
    if candidates.isEmpty { return "" }
    let shown = candidates.prefix(Self.listLimit).map { candidate in
      notes[candidate].map { "\(candidate) \(Self.shortened($0))" } ?? candidate
    }
    let column = min((shown.map { TerminalText.width(of: $0) }.max() ?? 0) + 2, width)
    let perLine = max(1, width / column)
    let rowCount = (shown.count + perLine - 1) / perLine
    var text = ""
    for row in 0..<rowCount {
      let cells = stride(from: row, to: shown.count, by: rowCount).map { shown[$0] }
      let line = cells.dropLast().map { TerminalText.padded($0, to: column) }.joined()
      text += line + (cells.last ?? "") + "\n"
    }
    let rest = candidates.count - shown.count
    return rest > 0 ? text + "… and \(rest) more\n" : text
  }
}
