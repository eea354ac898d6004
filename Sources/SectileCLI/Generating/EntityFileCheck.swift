/// Compares a file of structs with what would be written now.
///
/// Comments and empty lines are left out: counts of values change with the rows, types do not.
struct EntityFileCheck {
  /// How many lines of the differences are shown.
  static let shownLines = 20

  /// The lines that are in one of the texts only, as they are shown.
  let differences: [String]

  /// Compares texts.
  ///
  /// - Parameters:
  ///   - file: What the file holds.
  ///   - written: What would be written now.
  init(file: String, written: String) {
    let (old, new) = (Self.code(file), Self.code(written))
    let changes = new.map(\.text).difference(from: old.map(\.text))
    // Removals by their lines, insertions behind what they follow.
    var differences: [(line: Int, isNew: Bool, text: String)] = []
    for change in changes {
      switch change {
      case .remove(let offset, let text, _):
        differences.append((old[offset].line, false, "- \(old[offset].line): \(text)"))
      case .insert(let offset, let text, _):
        differences.append((new[offset].line, true, "+ \(new[offset].line): \(text)"))
      }
    }
    let removed = differences.filter { !$0.isNew }.sorted { $0.line < $1.line }
    let added = differences.filter(\.isNew).sorted { $0.line < $1.line }
    self.differences = (removed + added).map(\.text)
  }

  /// The lines to show: the first differences, and how many more there are.
  var shown: [String] {
    let more = differences.count - Self.shownLines
    guard more > 0 else { return differences }
    return differences.prefix(Self.shownLines) + ["… \(more) more"]
  }

  /// The lines of code, with their numbers in the file.
  private static func code(_ text: String) -> [(line: Int, text: String)] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { number, line in
      let code = line.drop { $0 == " " || $0 == "\t" }
      if code.isEmpty || code.hasPrefix("//") { return nil }
      return (number + 1, String(line))
    }
  }
}
