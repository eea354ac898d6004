#if Postgres
  internal import FoundationEssentials
  internal import SectileCore
  internal import SectileHub

  /// A rejection as the hub keeps it, so that who asks again gets the same answer: JSON.
  struct StoredRejection: Codable {
    private var kind: String
    private var message: String
    private var change: Int?
    private var current: [String: StoredValue]?

    init(_ rejection: MutationRejection) {
      (kind, message, change) = (rejection.kind.rawValue, rejection.message, rejection.change)
      current = rejection.current
    }

    /// The text for the hub.
    func text() throws -> String {
      String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    /// Reads the text of the hub; nil where it is none.
    static func rejection(_ text: String) -> MutationRejection? {
      guard let stored = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
        let kind = MutationRejection.Kind(rawValue: stored.kind)
      else { return nil }
      return MutationRejection(
        kind, message: stored.message, change: stored.change, current: stored.current)
    }
  }
#endif
