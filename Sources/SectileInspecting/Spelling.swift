/// Finds what somebody meant who misspelt a name.
package enum Spelling {
  /// Returns the candidate that is closest to a word; nil where none is close.
  package static func closest(to word: String, in candidates: some Sequence<String>) -> String? {
    let limit = max(1, word.count / 3)
    let word = Array(word.lowercased())
    var best: (candidate: String, distance: Int)?
    for candidate in candidates where abs(candidate.count - word.count) <= limit {
      let distance = distance(word, Array(candidate.lowercased()))
      if distance <= limit && distance < (best?.distance ?? .max) { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// Returns the beginning of a hint that asks whether the closest candidate was meant, as in
  /// `Did you mean size? `, with the space before what follows; nothing where none is close.
  package static func question(for word: String, in candidates: some Sequence<String>) -> String {
    closest(to: word, in: candidates).map { "Did you mean \($0)? " } ?? ""
  }

  /// How many characters must be inserted, removed, replaced or swapped to make one of the other.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for i in 1...left.count {
      var row = [i]
      for j in 1...right.count {
        let isSame = left[i - 1] == right[j - 1]
        var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          cost = min(cost, beforeLast[j - 2] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
