internal import Foundation
internal import Glibc

/// The person's own editor, for a statement that is too long for a prompt.
enum ExternalEditor {
  /// The command: `VISUAL`, else `EDITOR`, else `vi`.
  static func command(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    for name in ["VISUAL", "EDITOR"] {
      if let command = environment[name], !command.allSatisfy(\.isWhitespace) { return command }
    }
    return "vi"
  }

  /// Lets a person edit a text; returns what became of it, without line ends behind it.
  ///
  /// - Throws: ``CommandFailure`` where the editor fails, or no file can be made for it.
  static func edit(_ text: String) throws -> String {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-\(UUID().uuidString)")
    let file = url.appendingPathComponent("statement.sql")
    defer { try? FileManager.default.removeItem(at: url) }
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try Data((text.isEmpty ? "" : text + "\n").utf8).write(to: file)
    } catch {
      throw CommandFailure(
        .inputOutput, "a temporary folder is needed, and \(url.path) cannot be used",
        hint: "Let TMPDIR name a folder that may be written.")
    }
    let editor = command()
    let name = "'" + file.path.replacing("'", with: "'\\''") + "'"
    guard system("\(editor) \(name)") == 0 else {
      throw CommandFailure(
        .failed, "the editor failed: \(editor)", hint: "VISUAL or EDITOR names another.")
    }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      throw CommandFailure(.inputOutput, "the editor left no file")
    }
    var result = String(decoding: data, as: UTF8.self)
    while let last = result.last, last.isWhitespace { result.removeLast() }
    return result
  }
}
