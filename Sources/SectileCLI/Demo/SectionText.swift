internal import Sectile
internal import SectilePresenting

/// The names of sections, safe to show.
enum SectionText {
  /// Returns a section's title, and a name for the section of packages that have none.
  static func name(of section: SourceSection) -> String {
    if case .null = section.identity { return "(no section)" }
    return TerminalText.escaped(section.title)
  }
}
