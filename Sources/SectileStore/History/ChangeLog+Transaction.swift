public import Foundation
public import SectileCore

extension Store.ChangeLog {
  /// What one commit of a store did, or what other programs did in a row.
  ///
  /// Programs that are no stores leave no word about who they are, nor about where a transaction of
  /// theirs ends: what they wrote between two commits of stores is one entry that is not
  /// attributed.
  ///
  /// It is `Codable`, for lines of JSON: the date is a text as `2026-11-25 08:29:43.120`, in UTC.
  public struct Transaction: Hashable, Sendable {
    /// Whether it is a commit of a store.
    public let isAttributed: Bool
    /// Who committed; nil where that was not said.
    ///
    /// See `Store.write(author:tag:_:)`.
    public let author: String?
    /// What it is about; nil where that was not said.
    public let tag: String?
    /// When it was committed; nil for what is not attributed.
    public let date: Date?
    /// What happened, in order; a row may be named more than once.
    public let changes: [RowChange]
    /// Whether the next entry goes on with it: only where it has more than 100,000 changes.
    public let isContinued: Bool
    /// The place after it.
    public let token: ChangeToken

    init(
      by origin: HistoryOrigin?, _ changes: [RowChange], isContinued: Bool, token: ChangeToken
    ) {
      isAttributed = origin != nil
      author = origin?.author
      tag = origin?.tag
      date = origin?.date
      self.changes = changes
      self.isContinued = isContinued
      self.token = token
    }
  }

  /// A part of the history.
  public struct Page: Hashable, Sendable {
    /// What happened, in the order in which it was committed; the other way round in a page of
    /// `Store.history(before:limit:table:key:includingValues:)`.
    public let transactions: [Transaction]
    /// The place at which the next page begins: after this one, or before it.
    public let token: ChangeToken
    /// Whether there was no more when the page was read.
    public let isComplete: Bool
    /// Why the history does not lead on from the token; nil where it does.
    ///
    /// There are no transactions then, and ``token`` is the end of the log: read what you need
    /// anew, and go on from there.
    public let reset: ResetReason?

    init(
      _ transactions: [Transaction], token: ChangeToken, isComplete: Bool, reset: ResetReason? = nil
    ) {
      self.transactions = transactions
      self.token = token
      self.isComplete = isComplete
      self.reset = reset
    }
  }
}

extension Store.ChangeLog.Transaction: Codable {
  private enum CodingKeys: String, CodingKey {
    case isAttributed, author, tag, date, changes, isContinued, token
  }

  /// Encodes the transaction as an object; what is nil is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(isAttributed, forKey: .isAttributed)
    try container.encodeIfPresent(author, forKey: .author)
    try container.encodeIfPresent(tag, forKey: .tag)
    try container.encodeIfPresent(date.flatMap(DateText.text(from:)), forKey: .date)
    try container.encode(changes, forKey: .changes)
    try container.encode(isContinued, forKey: .isContinued)
    try container.encode(token, forKey: .token)
  }

  /// Decodes what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    isAttributed = try container.decode(Bool.self, forKey: .isAttributed)
    author = try container.decodeIfPresent(String.self, forKey: .author)
    tag = try container.decodeIfPresent(String.self, forKey: .tag)
    date = try container.decodeIfPresent(String.self, forKey: .date).map { text in
      guard let date = DateText.date(from: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .date, in: container, debugDescription: "\(text) is no date")
      }
      return date
    }
    changes = try container.decode([Store.ChangeLog.RowChange].self, forKey: .changes)
    isContinued = try container.decode(Bool.self, forKey: .isContinued)
    token = try container.decode(ChangeToken.self, forKey: .token)
  }
}
