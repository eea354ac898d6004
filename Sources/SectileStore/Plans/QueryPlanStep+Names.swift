extension QueryPlanStep {
  /// What all rows are gone through of in this step, by the name that it has in the statement; nil
  /// for other steps.
  ///
  /// A virtual table is not meant: it decides by itself what it reads.
  var scannedName: String? { name(after: "SCAN ") }

  /// What is searched in this step, by the name that it has in the statement; nil for other steps.
  var searchedName: String? { name(after: "SEARCH ") }

  private func name(after verb: String) -> String? {
    guard detail.hasPrefix(verb), !detail.contains(" VIRTUAL TABLE INDEX ") else { return nil }
    var name = detail.dropFirst(verb.count)
    if let use = name.firstRange(of: " USING ") { name = name[..<use.lowerBound] }
    let join = " LEFT-JOIN"
    if name.hasSuffix(join) { name = name.dropLast(join.count) }
    return String(name)
  }
}
