public import Foundation

extension TextCollation {
  /// Sorts text as people expect it where no language is known: letters first, then accents, then
  /// case, and numbers by their value.
  ///
  /// ```swift
  /// configuration.collations = [.people]
  /// let request = FetchRequest<Member>().sort(by: \.name, collation: .people)
  /// // item 2, item 10, Zoe, Zoë, and a, A, Ä before b
  /// ```
  ///
  /// Its name in SQL is `sectile_people`. See ``localized(_:)`` for more information.
  public static let people = localized(Locale(identifier: ""))

  /// Sorts text as people expect it in a language: `Ä` stands behind `Z` in Swedish, and with `A`
  /// in German.
  ///
  /// List it in ``StoreConfiguration/collations``. It is meant for requests. Its name in SQL is
  /// `sectile_people_` and the locale, as in `sectile_people_sv_SE`, and a schema can use it:
  /// then other programs, SQLite's own shell among them, cannot use that column or index.
  ///
  /// The order is ICU's, which comes with Foundation, and other releases of it have another order.
  /// A file whose schema uses the collation therefore holds the order's version in a table of
  /// Sectile's own. A store that lists the collation and finds another version builds those indexes
  /// anew when it is opened, in one transaction; one that is read-only throws `collationChanged`.
  /// Two programs with different releases must not have such a file open at once. Nothing of this
  /// concerns files whose schema does not use it.
  ///
  /// Texts are equal only if their bytes are. Bytes that are no UTF-8 compare as U+FFFD.
  ///
  /// - Parameter locale: The language, and perhaps its variant: `de@collation=phonebook`.
  /// - Returns: The collation.
  /// - Complexity: Comparing two names takes about a microsecond, a hundred times what it takes to
  ///   compare their bytes.
  public static func localized(_ locale: Locale) -> TextCollation {
    let order = LanguageOrder(of: locale.identifier(.icu))
    let words = locale.identifier(.bcp47)
      .split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      .map(String.init)
    let language = words == ["und"] ? [] : words
    return TextCollation(
      name: (["sectile_people"] + language).joined(separator: "_"),
      compare: { order.compare($0, $1) }, version: order.version)
  }
}
