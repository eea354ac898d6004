internal import Foundation
internal import Glibc

/// The commands that a person wants to be run when a shell with a prompt begins.
struct SettingsFile {
  private let path: String

  /// Finds the file; nil where there is none.
  ///
  /// - Parameter environment: Where `SECTILE_CONFIG` names the file, or is empty for none;
  ///   otherwise it is in the folder of settings that XDG's rules name.
  init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let named = environment["SECTILE_CONFIG"]
    guard
      let path = named.map({ $0.isEmpty ? nil : $0 })
        ?? SettingsFolder.path(of: "config", environment: environment),
      named != nil || access(path, F_OK) == 0
    else { return nil }
    self.path = path
  }

  /// Runs the commands, up to the first that fails.
  ///
  /// - Throws: ``CommandFailure`` where the file cannot be read, or others may write it.
  func run(in session: ShellSession) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .noInput, "cannot read \(path): \(String(cString: strerror(errno)))",
        hint: "SECTILE_CONFIG names the file of settings.")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure(.noInput, "\(path) is no file")
    }
    let isOwn = status.st_uid == geteuid() || status.st_uid == 0
    guard isOwn, status.st_mode & S_IWOTH == 0 else {
      throw CommandFailure(
        .data, "\(path) is not used: somebody else may write it",
        hint: "Make it yours alone: chmod 600.")
    }
    let lines = InputLines(descriptor: descriptor, name: path, keepsReturns: true)
    try session.runWhole { _ = try session.runScript(lines, name: path) }
  }
}
