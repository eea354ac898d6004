internal import Foundation
internal import Glibc
internal import SectileInspecting

/// The statements that a person keeps by name, each in a file of the folder of settings.
struct NamedQueries {
  private static let ending = ".sql"
  private let folder: String?

  /// Finds the folder.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    folder = SettingsFolder.path(of: "queries", environment: environment)
  }

  /// The names, in order.
  var names: [String] {
    let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
    return files.filter { $0.hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }.filter(Self.isName).sorted()
  }

  /// Returns the path of the file of a name.
  ///
  /// - Throws: ``CommandFailure`` for what is no name, or where there is no folder of settings.
  func path(of name: String) throws -> String {
    guard Self.isName(name) else {
      throw CommandFailure(
        .usage, "'\(name)' is no name of a query",
        hint: "Names have letters, digits, - and _, up to 64 of them.")
    }
    guard let folder else {
      throw CommandFailure(
        .inputOutput, "there is no folder of settings", hint: "Set HOME or XDG_CONFIG_HOME.")
    }
    return "\(folder)/\(name)\(Self.ending)"
  }

  /// Returns the statement of a name.
  ///
  /// - Throws: ``CommandFailure`` where there is none.
  func text(of name: String) throws -> String {
    let path = try path(of: name)
    guard let data = FileManager.default.contents(atPath: path) else {
      let closest = Spelling.closest(to: name, in: names)
      throw CommandFailure(
        .noInput, "there is no query '\(name)'",
        hint: closest.map { "Did you mean \($0)?" } ?? ".queries lists what there is.")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Keeps a statement.
  ///
  /// - Parameters:
  ///   - text: The statement.
  ///   - name: What it is called.
  ///   - replaces: Whether one of the same name may be lost.
  /// - Throws: ``CommandFailure``.
  func save(_ text: String, as name: String, replaces: Bool) throws {
    let path = try path(of: name)
    if !replaces && FileManager.default.fileExists(atPath: path) {
      throw CommandFailure(
        .failed, "there is a query '\(name)' already", hint: "Replace it with .save -f \(name).")
    }
    let url = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
      throw CommandFailure(
        .inputOutput, "cannot write \(path)",
        hint: "Check that this user may write the folder of settings.")
    }
  }

  /// Forgets a statement.
  ///
  /// - Throws: ``CommandFailure`` where there is none.
  func remove(_ name: String) throws {
    _ = try text(of: name)
    let path = try path(of: name)
    guard unlink(path) == 0 else {
      throw CommandFailure(
        .inputOutput, "cannot remove \(path): \(String(cString: strerror(errno)))")
    }
  }

  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: #/[A-Za-z0-9_][A-Za-z0-9_-]{0,63}/#) != nil
  }
}
