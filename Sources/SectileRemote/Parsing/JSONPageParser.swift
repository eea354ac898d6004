public import FoundationEssentials

/// Parses pages in JSON.
///
/// Where things are is said by the names on the way to them; without names the whole body is the
/// array of items:
///
/// ```swift
/// // { "songs": [ … ], "paging": { "next": "b2Zm", "total": 120 } }
/// let parser = JSONPageParser<Song>(
///   items: ["songs"], nextCursor: ["paging", "next"], total: ["paging", "total"])
/// ```
///
/// A cursor or link that is missing, null or empty ends the list. A parser that is told of neither
/// leaves it to the ``PageStyle`` which page follows.
///
/// One element that is no item fails its page, unless the parser is one for
/// ``skippingBadElements(reportLimit:onSkip:)``.
public struct JSONPageParser<Item: Decodable & Sendable>: PageParser {
  private var shape: JSONPageShape
  private var onSkip: (@Sendable (SkippedElements, PageToken) -> Void)?
  private let configure: @Sendable (JSONDecoder) -> Void

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - items: The names on the way to the array of items.
  ///   - nextCursor: The names on the way to the cursor of the next page, a text or a number.
  ///   - nextLink: The names on the way to the address of the next page.
  ///   - total: The names on the way to the number of items of the whole list.
  ///   - configure: Prepares the decoder of each page: its date strategy, say.
  public init(
    items: [String] = [], nextCursor: [String]? = nil, nextLink: [String]? = nil,
    total: [String]? = nil, configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
  ) {
    shape = JSONPageShape(items: items, cursor: nextCursor, link: nextLink, total: total)
    self.configure = configure
  }

  /// Returns a parser that leaves out elements of the array that are no items, instead of failing
  /// the page.
  ///
  /// Such an element has another type than the item, or lacks what that needs. All are counted, and
  /// of the first ones it is told what is wrong; their places in the page stay, so that pages and
  /// ranks after them are found as before. A body that is no JSON, or has no array where the items
  /// should be, fails as ever.
  ///
  /// ```swift
  /// let parser = JSONPageParser<Song>(items: ["songs"])
  ///   .skippingBadElements { skipped, page in
  ///     print("\(page): \(skipped.count) left out", skipped.reports.first ?? "")
  ///   }
  /// ```
  ///
  /// A ``PersistentRemoteList`` deletes nothing after a crawl in which elements were left out: what
  /// they are is not known.
  ///
  /// - Parameters:
  ///   - reportLimit: How many elements of one page are reported on; all are counted.
  ///   - onSkip: Called with what was left out of a page, and the page, before its items are
  ///     delivered; it is called for each page that has such elements, where it was loaded.
  /// - Returns: The parser.
  public func skippingBadElements(
    reportLimit: Int = 20, onSkip: (@Sendable (SkippedElements, PageToken) -> Void)? = nil
  ) -> JSONPageParser {
    var parser = self
    parser.shape.reportLimit = max(0, reportLimit)
    parser.onSkip = onSkip
    return parser
  }

  /// Parses a page.
  ///
  /// - Throws: ``RemoteError`` with `malformedBody` where the body is not JSON, and with
  ///   `unexpectedShape` where it is, but without what was expected, where it was expected: also a
  ///   number that the type of the item cannot hold.
  public func parse(
    _ response: PageResponse, of page: PageToken
  ) throws -> ParsedPage<Item, PageToken> {
    let decoder = JSONDecoder()
    configure(decoder)
    do {
      let body = try decoder.decode(
        JSONPageBody<Item>.self, from: Data(response.body), configuration: shape)
      let skipped = skipped(in: body, of: response)
      if !skipped.isEmpty { onSkip?(skipped, page) }
      return ParsedPage(
        items: body.items, next: next(in: body), total: body.total, skipped: skipped)
    } catch let error as DecodingError {
      throw unfitNumber(in: response, decoder)
        ?? RemoteError(decoding: error, status: response.status)
    }
  }

  private func skipped(in body: JSONPageBody<Item>, of response: PageResponse) -> SkippedElements {
    var skipped = SkippedElements()
    var faults = body.faults[...]
    for offset in body.skippedOffsets {
      let fault = faults.popFirst()
      skipped.append(offset: offset, report: fault?.report(offset: offset, in: response.body))
    }
    return skipped
  }

  private func next(in body: JSONPageBody<Item>) -> ParsedPage<Item, PageToken>.Next {
    if let cursor = body.cursor { return .page(.cursor(cursor)) }
    if let link = body.link { return .page(.link(link)) }
    return shape.cursor == nil && shape.link == nil ? .unknown : .end
  }

  /// Returns what is wrong with a number, where that is why a body could not be decoded.
  private func unfitNumber(in response: PageResponse, _ decoder: JSONDecoder) -> RemoteError? {
    do {
      _ = try decoder.decode(
        LocatedPageBody<Item>.self, from: Data(response.body), configuration: shape)
      return nil
    } catch let number as UnfitNumber {
      let literal = JSONLiteral.number(in: response.body, at: number.path)
      return RemoteError(number, written: literal, status: response.status)
    } catch {
      return nil
    }
  }
}
