internal import Foundation
internal import Glibc
internal import Sectile
internal import SectilePresenting

/// The lines that were typed, kept from session to session in a file of the person's own.
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
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    let entries = lines.suffix(Self.entryLimit).filter { Self.isSafe($0) }
    if lines.count > 2 * Self.entryLimit { replace(with: entries) }
    last = entries.last
    return entries
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
    write(entry + "\n", flags: O_APPEND)
    return entry
  }

  private static func isSafe(_ entry: String) -> Bool {
    !entry.unicodeScalars.contains(where: TerminalText.isUnsafe)
  }

  private func replace(with entries: [String]) {
    write(entries.map { $0 + "\n" }.joined(), flags: O_TRUNC)
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
