internal import ArgumentParser

/// `sectile sqlite FILE SQL…` without an option: what people and scripts type most.
///
/// It needs no parser. Making that ready, with all subcommands, takes as long as the rest of a
/// short statement's run.
enum PlainArguments {
  /// Reads such a line.
  ///
  /// - Parameter arguments: The program's arguments, without its name.
  /// - Returns: The command; nil for any other line, which the parser reads.
  static func command(_ arguments: some Collection<String>) -> SQLiteCommand? {
    guard arguments.count >= 2, arguments.first == "sqlite",
      !arguments.contains(where: { $0.hasPrefix("-") })
    else { return nil }
    let words = arguments.dropFirst()
    return SQLiteCommand(file: words.first ?? "", sql: Array(words.dropFirst()))
  }
}
