internal import SectileCore
internal import Synchronization

/// A fetcher of the lines of a text file: the first ones soon, the rest in larger batches.
///
/// A line ends with LF or CR LF; the last one needs no line break. An empty line is a line. See
/// ``FileLine`` for what identifies one, and ``FileLinesOptions`` for what is refused or repaired.
///
/// The file is read from its beginning to where it ended when it was opened: what is appended
/// meanwhile comes with the next load. A file that becomes shorter meanwhile fails the load; one
/// that is replaced by renaming another is read to its end as it was. One that is rewritten in
/// place meanwhile may be read half old and half new, and is read again where it is observed.
///
/// The file is opened for each fetch and closed at its end. It is never written, nor locked. It
/// must not be a database: such a file may be opened by SQLite only.
public struct FileLinesFetcher: ItemFetcher {
  /// What is fetched.
  public typealias Item = FileLine

  /// In which states the file was read by whoever shares the fetcher.
  private enum Seen {
    case nothing
    /// All reads found the file in one state; nil where there was none.
    case state(TextFile.Signature?)
    /// It changed between reads: which of them was whose is not known.
    case several

    mutating func note(_ signature: TextFile.Signature?) {
      switch self {
      case .nothing: self = .state(signature)
      case .state(let former): if former != signature { self = .several }
      case .several: break
      }
    }
  }

  private final class Reads: Sendable {
    let seen = Mutex(Seen.nothing)
  }

  /// Where the file is.
  public let path: String
  /// What is accepted.
  public let options: FileLinesOptions
  private let reads = Reads()

  /// The first batch is what this many bytes hold.
  private static let firstChunkByteCount = 8 << 10
  private static let chunkByteCount = 256 << 10

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - path: Where the file is; a relative path is one from the current directory.
  ///   - options: What is accepted, and when the file is looked at for changes.
  public init(path: String, options: FileLinesOptions = FileLinesOptions()) {
    self.path = path
    self.options = options
  }

  /// Reads the file.
  ///
  /// - Throws: ``DataSourceError`` with `fileMissing`, `fileUnreadable`, `notARegularFile`,
  ///   `fileTooLarge`, `lineTooLong`, `invalidText` or `fileTruncated`.
  public func fetch(_ receive: @escaping @Sendable ([FileLine]) async throws -> Void) async throws {
    // Noted even where the file cannot be opened, so that an observer looks for the next state.
    let found = TextFile.signature(ofFileAt: path)
    reads.seen.withLock { $0.note(found) }
    let file = try TextFile(path: path)
    reads.seen.withLock { $0.note(file.signature) }
    let reader = LineReader(file: file, path: path, options: options)
    var limit = Self.firstChunkByteCount
    while let lines = try reader.next(byteCount: limit) {
      if !lines.isEmpty { try await receive(lines) }
      limit = Self.chunkByteCount
    }
  }

  /// Looks for changes as the options say.
  ///
  /// Each watch remembers for itself how it found the file last, so that sources with the same
  /// fetcher hide nothing from each other. Where the file had changed before the watch began, its
  /// first look calls the closure even if that was read already.
  public func watch(_ changed: @escaping @Sendable () -> Void) async {
    var first = reads.seen.withLock { $0 }
    // Nobody read anything yet: what will be read is not older than this.
    if case .nothing = first { first.note(TextFile.signature(ofFileAt: path)) }
    let last = Mutex(first)
    await options.observation.watch {
      let now = TextFile.signature(ofFileAt: path)
      let isChanged = last.withLock { last in
        defer { last = .state(now) }
        if case .state(let former) = last { return former != now }
        return true
      }
      if isChanged { changed() }
    }
  }
}
