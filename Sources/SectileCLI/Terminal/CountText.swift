/// Numbers of things as a person reads them.
enum CountText {
  /// Returns a number with its noun, as in `1 row` and `2 rows`.
  static func text(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Returns how many rows there are in how many sections.
  static func rows(_ rows: Int, sections: Int) -> String {
    "\(text(rows, "row")) in \(text(sections, "section"))"
  }
}
