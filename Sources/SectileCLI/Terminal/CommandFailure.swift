internal import Sectile
internal import SectilePresenting

/// Why a command could not do what it was asked: one line, the next step, and the exit code.
struct CommandFailure: Error {
  /// The exit codes of `sectile`, those of `sysexits.h` where it has one.
  enum Code: Int32, CaseIterable {
    /// The command ran, and its answer is no.
    case failed = 1
    /// The arguments make no sense.
    case usage = 64
    /// The data is not what it should be: bad SQL, not a database, a changed migration.
    case data = 65
    /// A file that was named does not exist, or cannot be opened.
    case noInput = 66
    /// A mistake in this program.
    case `internal` = 70
    /// Reading or writing failed.
    case inputOutput = 74
    /// Ctrl-C stopped the command, as shells count it: 128 and the number of the signal.
    case interrupted = 130

    /// What the code says, in a few words.
    var meaning: String {
      switch self {
      case .failed: "the command ran, and its answer is no"
      case .usage: "the arguments make no sense"
      case .data: "bad data: wrong SQL, not a database, a changed migration"
      case .noInput: "a file that was named is not there, or cannot be opened"
      case .internal: "a mistake in sectile itself"
      case .inputOutput: "reading or writing failed: a full disk, a lock, no permission"
      case .interrupted: "Ctrl-C stopped it"
      }
    }
  }

  /// What the process exits with.
  let code: Code
  /// What happened.
  let message: String
  /// What to do next.
  let hint: String?
  /// What the hint speaks of and is shown below it as it is, such as SQL for somebody else to run.
  let listing: String?

  /// Creates a failure.
  init(_ code: Code, _ message: String, hint: String? = nil, listing: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.listing = listing
  }

  /// The lines for standard error, safe to show.
  var lines: [String] {
    var lines = ["Error: " + Self.line(of: message)]
    if let hint { lines.append("Hint: " + Self.line(of: hint)) }
    if let listing {
      lines += listing.split(separator: "\n").map { TerminalText.escaped(String($0)) }
    }
    return lines
  }

  /// How many characters of a message are shown at most.
  private static let lengthLimit = 400

  /// Returns a text in one line that can be read: of one that repeats a whole script, the middle is
  /// left out.
  private static func line(of text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > lengthLimit else { return TerminalText.escaped(text) }
    let start = String(scalars.prefix(lengthLimit * 3 / 4))
    let end = String(scalars.suffix(lengthLimit / 4))
    return TerminalText.escaped(start) + " … " + TerminalText.escaped(end)
  }
}
