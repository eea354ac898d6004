internal import Glibc

/// The lines of a patch as they come, from a file or a pipe that may stay open for days.
final class PatchLines {
  /// How long a line gets: SQLite's limit for a value, and what is written around it.
  private static let lineLimit = 2_100_000_000

  private let lines: InputLines
  private let descriptor: Int32
  private let ownsDescriptor: Bool

  /// Opens an input.
  ///
  /// - Parameters:
  ///   - path: The path of a file, or `-` for standard input.
  ///   - checkpoint: Is called every now and then while nothing comes; what it throws ends the
  ///     reading.
  /// - Throws: ``CommandFailure`` where there is nothing to read.
  init(path: String, checkpoint: @escaping () throws -> Void) throws {
    ownsDescriptor = path != "-"
    let name = ownsDescriptor ? path : "standard input"
    descriptor =
      ownsDescriptor ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : STDIN_FILENO
    lines = InputLines(
      descriptor: descriptor, name: name, lineLimit: Self.lineLimit, checkpoint: checkpoint)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .noInput, "\(name): \(String(cString: strerror(errno)))", hint: "Check the path.")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw CommandFailure(
        .inputOutput, "cannot read \(name): \(String(cString: strerror(errno)))")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw CommandFailure(.noInput, "\(name) is a folder", hint: "Name a patch in it.")
    }
  }

  deinit {
    if ownsDescriptor && descriptor >= 0 { close(descriptor) }
  }

  /// What messages call the input.
  var name: String { lines.name }

  /// The number of the line that was read last.
  var number: Int { lines.number }

  /// Returns the next line without its end; nil after the last.
  ///
  /// - Throws: ``CommandFailure`` where it cannot be read; what the checkpoint throws.
  func next() throws -> [UInt8]? { try lines.next() }
}
