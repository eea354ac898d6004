internal import Foundation
internal import Sectile
internal import SectileInspecting

/// Knows what could follow what was typed.
final class ShellCompletion {
  private let names: SchemaNames

  /// Creates a completion over the names of a file.
  init(names: SchemaNames) {
    self.names = names
  }

  /// Returns what TAB does.
  ///
  /// - Parameter text: What was typed, up to the cursor.
  /// - Returns: The offer.
  func offer(for text: String) -> CompletionOffer {
    let start = text.drop(while: \.isWhitespace)
    if start.first == "." && !start.contains(where: \.isNewline) {
      return offerForCommand(String(start))
    }
    return offerForSQL(text)
  }

  // MARK: - Dot commands

  private func offerForCommand(_ line: String) -> CompletionOffer {
    let words = line.split(omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    guard let first = words.first, line.contains(where: \.isWhitespace) else {
      return CompletionOffer(line, DotCommand.all.map(\.name))
    }
    guard let command = try? DotCommand.find(String(first)) else { return .none }
    let isAtNewWord = line.last?.isWhitespace ?? false
    let position = words.count - (isAtNewWord ? 1 : 2)
    guard let last = command.kinds.last else { return .none }
    let kind = position < command.kinds.count ? command.kinds[position] : last
    var word = isAtNewWord ? "" : String(words.last ?? "")
    if kind == .file {
      // A name in quotes may hold spaces; it is all that follows the command.
      let rest = line.dropFirst(first.count).drop(while: \.isWhitespace)
      if rest.first == "'" || rest.first == "\"" { word = String(rest) }
    }
    switch kind {
    case .table: return CompletionOffer(word, names.tables.map(DotCommandWords.quoted))
    case .column: return CompletionOffer(word, names.columns().map(DotCommandWords.quoted))
    case .mode: return CompletionOffer(word, RowMode.allCases.map(\.rawValue))
    case .onOff: return CompletionOffer(word, ["on", "off"])
    case .keys: return CompletionOffer(word, ["emacs", "vi"])
    case .query: return CompletionOffer(word, NamedQueries().names)
    case .command: return CompletionOffer(word, DotCommand.all.map(\.name))
    case .file: return FileCompletion.offer(for: word)
    case .other: return .none
    }
  }

  // MARK: - SQL

  private func offerForSQL(_ text: String) -> CompletionOffer {
    let words = SQLWords(text)
    guard !words.isInText else { return .none }
    let tables = names.tables.map(Self.name)
    if let qualifier = words.qualifier {
      let table = words.table(named: qualifier)
      return offer(words.word, names.columns(of: [table]).map(Self.name), of: [table]) { _ in "" }
    }
    switch words.before {
    case "FROM", "JOIN", "INTO", "UPDATE", "TABLE":
      return CompletionOffer(words.word, tables)
    default: break
    }
    if words.word.isEmpty { return .none }
    // Columns of the tables that the statement speaks of come first, all others after them.
    let mentioned = words.mentioned(of: names.tables)
    var candidates = mentioned.isEmpty ? [] : names.columns(of: mentioned).map(Self.name)
    if candidates.allSatisfy({ !$0.lowercased().hasPrefix(words.word.lowercased()) }) {
      candidates += names.columns().map(Self.name)
    }
    let isLower = words.word.contains { $0.isLowercase }
    let keywords = InspectionConnection.keywords.map { isLower ? $0.lowercased() : $0 }
    candidates += tables + keywords.sorted()
    if words.word.count > 2 { candidates += names.functions.map { $0 + "(" } }
    return offer(words.word, candidates, of: mentioned) { $0.hasSuffix("(") ? "" : " " }
  }

  /// Offers candidates of which some are columns, with their types.
  private func offer(
    _ word: String, _ candidates: [String], of tables: [String], ending: (String) -> String
  ) -> CompletionOffer {
    var offer = CompletionOffer(word, candidates, ending: ending)
    let types = names.types(of: tables)
    for candidate in offer.candidates {
      let name = candidate.first == "\"" ? String(candidate.dropFirst().dropLast()) : candidate
      offer.notes[candidate] = types[name]
    }
    return offer
  }

  /// A name as SQL writes it.
  private static func name(_ name: String) -> String { SQLNameText.text(of: name) }
}
