internal import Dispatch
internal import Foundation
internal import Glibc

/// A temporary folder that is also removed when Ctrl-C or a request to terminate ends the command.
final class ScratchFolder {
  private let url: URL
  private let sources: [any DispatchSourceSignal]

  /// Creates the folder, in the place that `TMPDIR` names.
  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(
        .inputOutput, "a temporary folder is needed, and \(url.path) cannot be created",
        hint: "Let TMPDIR name a folder that may be written.")
    }
    self.url = url
    sources = StopSignal.signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        try? FileManager.default.removeItem(at: url)
        // Another thread is at work; nothing of its state is needed any more.
        EndingSignal.note(number)
        EndingSignal.endProcess()
      }
      source.resume()
      return source
    }
  }

  /// Returns the path of a file in the folder.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Removes the folder, and leaves signals to the system again.
  func remove() {
    try? FileManager.default.removeItem(at: url)
    for source in sources { source.cancel() }
    for number in StopSignal.signals { signal(number, SIG_DFL) }
  }
}
