/// Options whose value may be an empty text.
///
/// The parser takes `--table=` for an option without its value, and `--table ''` for one whose
/// value is empty. A table may be called so.
enum EmptyNames {
  private static let options = ["--table="]

  /// Returns arguments in which an empty value stands by itself.
  static func separated(in arguments: [String]) -> [String] {
    // Behind two dashes nothing is an option.
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let spelled = arguments[..<end].flatMap { argument in
      options.contains(argument) ? [String(argument.dropLast()), ""] : [argument]
    }
    return spelled + arguments[end...]
  }
}
