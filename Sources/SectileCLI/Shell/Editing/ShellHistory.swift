internal import Foundation
internal import Glibc
internal import Sectile
internal import SectilePresenting

/// What was typed, kept from session to session in a file of the person's own.
///
/// An entry is a line of the file. Of one that has several lines itself, those that follow begin
/// with a tab, which no entry does.
///
/// A history that cannot be read or written is no reason to stop: the shell goes on without.
final class ShellHistory {
  /// How many entries are kept.
  static let entryLimit = 1000

  private let path: String?

  // Confined to the thread that runs the shell.
  private var last: String?

  /// Creates a history.
  ///
  /// - Parameter environment: Where `SECTILE_HISTORY` names the file, or is empty for none;
  ///   otherwise it is kept in the folder of state that XDG's rules name.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func folder(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let path = environment["SECTILE_HISTORY"] {
      self.path = path.isEmpty ? nil : path
    } else {
      let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
      path = state.map { $0 + "/sectile/history" }
    }
  }

  /// Returns the entries of earlier sessions, the oldest first.
  func load() -> [String] {
    guard let path, let data = FileManager.default.contents(atPath: path) else { return [] }
    var all: [String] = []
    let lines = String(decoding: data, as: UTF8.self).unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: true)
    for line in lines {
      if line.first == "\t", let entry = all.popLast() {
        all.append(entry + "\n" + String(line.dropFirst()))
      } else {
        all.append(String(line))
      }
    }
    let entries = all.suffix(Self.entryLimit).filter { Self.isSafe($0) }
    if all.count > 2 * Self.entryLimit { replace(with: entries) }
    last = entries.last
    return entries
  }

  /// An entry as the file has it.
  private static func encoded(_ entry: String) -> String {
    entry.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\t") + "\n"
  }

  /// Keeps an entry.
  ///
  /// - Parameter entry: What was typed.
  /// - Returns: The entry; nil where it is not kept: an empty one, the last one again, one with
  ///   characters that a terminal could act upon, one that begins with a space.
  func append(_ entry: String) -> String? {
    guard !entry.hasPrefix(" ") else { return nil }
    let entry = entry.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !entry.isEmpty, entry != last, Self.isSafe(entry) else { return nil }
    last = entry
    write(Self.encoded(entry), flags: O_APPEND)
    return entry
  }

  private static func isSafe(_ entry: String) -> Bool {
    !entry.unicodeScalars.contains { TerminalText.isUnsafe($0) && $0 != "\n" && $0 != "\t" }
  }

  private func replace(with entries: [String]) {
    write(entries.map(Self.encoded).joined(), flags: O_TRUNC)
  }

  private func write(_ text: String, flags: Int32) {
    guard let path else { return }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Nobody else's business, also where the file was there before.
    fchmod(descriptor, 0o600)
    try? Output.send(Array(text.utf8), to: descriptor)
  }
}
