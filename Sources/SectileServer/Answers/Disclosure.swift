#if Server
  internal import Sectile

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// What clients are told of the database behind a server.
  struct Disclosure: Sendable {
    /// Tells the file from others, also those of the same name; nil where clients are to know of no
    /// file.
    ///
    /// It is the same when the server is started anew with the same file, and says nothing of where
    /// that is.
    let source: String?
    /// The path as it was given and as SQLite has it, the longer one first; nil where clients are
    /// told no details.
    private let paths: [String]?

    private init(source: String?, paths: [String]?) {
      self.source = source
      self.paths = paths
    }

    /// Nothing: clients of a service know of no file.
    static let nothing = Disclosure(source: nil, paths: nil)

    /// Creates the one of a file, whose name clients are told, and not its path.
    init(of path: String) {
      let resolved = realpath(path, nil)
      defer { free(resolved) }
      let place = resolved.map { String(cString: $0) } ?? path
      let hash = StableHash(of: place.utf8).value
      let paths = [path, place].filter { $0.contains("/") }.sorted { $0.utf8.count > $1.utf8.count }
      self.init(source: String(hash, radix: 16), paths: paths)
    }

    /// Returns what clients are told of an error.
    func refusal(of error: any Error) -> Refusal {
      let refusal = Refusal(error)
      guard let paths else { return refusal.withoutDetails }
      return Refusal(
        refusal.code, Self.shortened(refusal.message, paths),
        hint: refusal.hint.map { Self.shortened($0, paths) }, version: refusal.version)
    }

    /// A text with the file's name in the place of its path.
    private static func shortened(_ text: String, _ paths: [String]) -> String {
      paths.reduce(text) { text, path in
        text.replacing(path, with: path.split(separator: "/").last ?? "")
      }
    }
  }
#endif
