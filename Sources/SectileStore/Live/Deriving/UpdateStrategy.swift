/// How live results keep up with commits, and why in that way.
///
/// What a commit costs depends on it. For *c* touched rows of *n*:
///
/// | Kind | Cost of a commit | When |
/// |---|---|---|
/// | ``Kind/indexLookup`` | O(*c* · log *n*), up to two searches of an index for each row | an index has the order |
/// | ``Kind/binarySearch`` | O(*c* · log *n*), up to log2(*n*) look-ups for each row | no index has it |
/// | ``Kind/windowed`` | O(*n*) up to the end of the window | a limit or an offset with fixed sections or some aggregates; an offset where places before it are not known |
/// | ``Kind/refetching`` | O(*n*) | touched rows or the order are not known |
///
/// A commit that touches a large part of the rows is answered by reading all of them, whatever the
/// kind, because that is faster then.
///
/// Where rows move often, results come to know the first bytes of what each row is sorted by: eight
/// bytes of memory a row, by which most places are found without the database.
public struct UpdateStrategy: Hashable, Sendable, Codable {
  /// What is done after a commit.
  public let kind: Kind
  /// Why, in one or two sentences.
  public let reason: String

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}

extension UpdateStrategy: CustomStringConvertible {
  /// The kind and the reason, in one line.
  public var description: String { "\(kind): \(reason)" }
}

extension UpdateStrategy {
  /// What is done after a commit.
  ///
  /// Kinds may be added in any release, so compare with `==`.
  public struct Kind: Hashable, Sendable {
    private let name: Name

    private enum Name: String, CaseIterable {
      // The raw values are what JSON and descriptions say.
      case indexLookup = "seeking"
      case binarySearch = "searching"
      case windowed, refetching
    }

    private init(_ name: Name) {
      self.name = name
    }

    /// Touched rows are read again; their places are sought in an index of the database.
    public static let indexLookup = Self(.indexLookup)
    /// Touched rows are read again; their places are searched among the known rows, whose sort keys
    /// are looked up.
    public static let binarySearch = Self(.binarySearch)
    /// The rows within limit and offset are fetched again and compared.
    public static let windowed = Self(.windowed)
    /// All rows are fetched again and compared.
    public static let refetching = Self(.refetching)

    /// Whether only the rows that a commit touched are read.
    public var isIncremental: Bool { self == .indexLookup || self == .binarySearch }
  }
}

extension UpdateStrategy.Kind: CustomStringConvertible {
  /// The kind's name.
  public var description: String { name.rawValue }
}

extension UpdateStrategy.Kind: Codable {
  /// Reads the name.
  ///
  /// - Throws: `DecodingError` for a name that is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let name = Name(rawValue: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is no kind of maintenance.")
    }
    self.init(name)
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name.rawValue)
  }
}
