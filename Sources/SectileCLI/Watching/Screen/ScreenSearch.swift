internal import Sectile

/// A text that is searched for in the rows of a screen, in all columns as they are shown.
///
/// Capital letters are told from small ones where the text has capital ones. Of a blob, and of a
/// text of many megabytes, the beginning is looked at.
struct ScreenSearch: Hashable, Sendable {
  /// A way through all rows, once around.
  struct Walk: Hashable, Sendable {
    /// How many rows come before the next one to look at; may be before the first, or behind the
    /// last.
    var rank: Int
    /// Whether it goes to rows before or behind: -1 or 1.
    let step: Int
    /// How many rows were looked at.
    var count = 0
  }

  /// How many bytes of a blob are looked at.
  private static let blobLimit = 1024
  /// How many bytes of a text are looked at.
  static let textLimit = 16 << 20

  let text: String
  private let ignoresCase: Bool
  /// Where the search is; nil while nobody searches.
  var walk: Walk?

  /// Creates a search for a text.
  init(_ text: String) {
    self.text = text
    ignoresCase = text == text.lowercased()
  }

  /// Whether a value contains the text.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - limit: How many bytes of a text are looked at.
  /// - Returns: Whether it is there.
  func matches(_ value: StoredValue, upTo limit: Int = textLimit) -> Bool {
    let shown: String =
      switch value {
      case .blob(let bytes): ValueText.plain(.blob(Array(bytes.prefix(Self.blobLimit))))
      case .text(let text) where text.utf8.count > limit:
        String(decoding: text.utf8.prefix(limit), as: UTF8.self)
      default: ValueText.plain(value)
      }
    return ignoresCase ? shown.lowercased().contains(text) : shown.contains(text)
  }
}
