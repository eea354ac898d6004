/// A piece of HTML that is safe by the way it is made: text is escaped, markup is built.
///
/// ```swift
/// let name = HTMLFragment.text("Fish & <Chips>")           // Fish &amp; &lt;Chips&gt;
/// let row = HTMLFragment.element("b", name) + " (new)"      // <b>Fish …</b> (new)
/// ```
public struct HTMLFragment: Hashable, Sendable {
  /// The piece as it stands in a page.
  public private(set) var markup: String

  private init(markup: String) {
    self.markup = markup
  }

  /// An empty piece.
  public static let empty = HTMLFragment(markup: "")

  /// Takes markup as it is.
  ///
  /// - Parameter markup: HTML that holds nothing from outside, or only what was escaped.
  /// - Returns: The markup as a piece.
  public static func unsafeMarkup(_ markup: String) -> HTMLFragment {
    HTMLFragment(markup: markup)
  }

  /// Shows a text, whatever it holds.
  public static func text(_ text: String) -> HTMLFragment {
    HTMLFragment(markup: escaped(text))
  }

  /// Makes an element.
  ///
  /// - Parameters:
  ///   - name: The element's name; letters, digits and hyphens.
  ///   - attributes: Its attributes, in order; values may hold anything. The value of `href`,
  ///     `src`, `style` or a handler is still the page's to vouch for.
  ///   - content: What it holds.
  /// - Returns: The element.
  /// - Precondition: The names consist of letters, digits and hyphens.
  public static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:],
    _ content: HTMLFragment = .empty
  ) -> HTMLFragment {
    precondition(isName(name), "“\(name)” is no name of an element")
    var markup = "<" + name
    for (key, value) in attributes {
      precondition(isName(key), "“\(key)” is no name of an attribute")
      markup += " \(key)=\"\(escaped(value))\""
    }
    return HTMLFragment(markup: markup + ">" + content.markup + "</\(name)>")
  }

  /// Makes the cells of a table's row.
  public static func cells(_ cells: [HTMLFragment]) -> HTMLFragment {
    cells.reduce(into: .empty) { $0 += .element("td", [:], $1) }
  }

  /// Joins two pieces.
  public static func + (left: HTMLFragment, right: HTMLFragment) -> HTMLFragment {
    HTMLFragment(markup: left.markup + right.markup)
  }

  /// Appends a piece.
  ///
  /// - Complexity: O(*m*), amortised, for the *m* bytes that are appended.
  public static func += (left: inout HTMLFragment, right: HTMLFragment) {
    left.markup += right.markup
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D
      }
  }

  /// Returns a text that means itself between tags, and inside of a quoted attribute.
  private static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // No page may hold these, not even written as a reference.
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension HTMLFragment: ExpressibleByStringInterpolation {
  /// Shows a text, whatever it holds.
  public init(stringLiteral text: String) {
    self = .text(text)
  }
}

extension HTMLFragment: CustomStringConvertible {
  /// The markup.
  public var description: String { markup }
}
