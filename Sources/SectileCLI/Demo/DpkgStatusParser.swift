/// Reads the paragraphs of dpkg's status file, line by line.
///
/// A paragraph is a run of `Field: value` lines; lines that begin with a space or a tab continue
/// the field before them, an empty line ends the paragraph. Field names have no case. Bytes that
/// are not UTF-8 are replaced, since one bad maintainer name must not cost the rest of the file.
///
/// ```swift
/// var parser = DpkgStatusParser()
/// for line in lines { if let package = parser.consume(line) { … } }
/// if let last = parser.finish() { … }
/// ```
struct DpkgStatusParser {
  /// How many paragraphs were left out because they name no package.
  private(set) var skippedCount = 0
  /// How many packages are known to dpkg, but only by the configuration they left behind.
  private(set) var removedCount = 0

  private var fields: [Field: String] = [:]
  private var hasLines = false

  private enum Field: String {
    case package, status, priority, section, maintainer, architecture, version
    case installedSize = "installed-size"
  }

  /// Takes one line, without its line end, and returns the package that it completes, if it does.
  mutating func consume(_ line: some BidirectionalCollection<UInt8>) -> InstalledPackage? {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard let first = line.first else { return finish() }
    hasLines = true
    // None of the fields that matter here continues over lines.
    if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { return nil }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    guard let field = Field(rawValue: name) else { return nil }
    fields[field] = Self.trimmed(String(decoding: line[line.index(after: colon)...], as: UTF8.self))
    return nil
  }

  /// Returns the package of the paragraph that was begun, if it is one that is installed.
  mutating func finish() -> InstalledPackage? {
    defer {
      fields.removeAll(keepingCapacity: true)
      hasLines = false
    }
    guard hasLines else { return nil }
    guard let name = fields[.package], !name.isEmpty else {
      skippedCount += 1
      return nil
    }
    // `want error state`, such as "install ok installed" or "deinstall ok config-files".
    let status = fields[.status] ?? ""
    if status.hasSuffix("config-files") || status.hasSuffix("not-installed") {
      removedCount += 1
      return nil
    }
    return InstalledPackage(
      name: name,
      architecture: fields[.architecture] ?? "",
      version: fields[.version] ?? "",
      section: fields[.section],
      installedSize: fields[.installedSize].flatMap { Int64($0) },
      priority: fields[.priority],
      status: status,
      maintainer: fields[.maintainer])
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let last = text.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(text[...last].drop(while: isSpace))
  }
}
