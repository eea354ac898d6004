/// What a ``Feed`` tells one of its clients: a kind, and its JSON, which all clients share.
///
/// A client keeps a list. This is what each kind asks of it:
///
/// | Kind | What the client does |
/// |---|---|
/// | ``Kind/reset`` | forgets everything; contents follow |
/// | ``Kind/rows`` | appends sections and rows |
/// | ``Kind/sections`` | appends sections, and keeps how many rows each has |
/// | ``Kind/complete`` | shows them: the contents are whole |
/// | ``Kind/changes`` | applies a changeset |
/// | ``Kind/keyed`` | applies what became of rows, by their identities |
/// | ``Kind/failed`` | says that its list may be out of date; what follows is relative to it |
/// | ``Kind/recovered`` | says so no more: the source was read again |
/// | ``Kind/dropped`` | comes back with its position: it was too slow, and this is the last event |
public struct FeedEvent: Sendable {
  /// A kind of event, to be compared with `==`; more kinds may come.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind's name, which is that of the event in a stream of ``ServerSentEvents``.
    public let description: String

    /// The client forgets what it has.
    ///
    /// `{"format":2,"reason":"joined","version":8,"sections":2,"rows":900}`, and `aggregates` of
    /// all rows where there are such. The reason is for logs: `joined`, `foreign`, `restarted`,
    /// `tooOld`, `ahead` or `unreadable`, or the name of a `ResetReason`.
    public static let reset = Kind(description: "reset")
    /// Some of the contents.
    ///
    /// Each element of `sections` is the section with that ordinal, or more of it: it has a
    /// `header` where it is new, and its rows stand from `item` on, behind those that are there.
    ///
    /// ```json
    /// {"format":2,"version":8,"sections":[
    ///   {"section":0,"item":0,"header":{"identity":"A","title":"A"},
    ///     "rows":[{"id":5,"item":{…}}]}]}
    /// ```
    public static let rows = Kind(description: "rows")
    /// Some of the contents in a shape without items, ``FeedShape/structural(_:)``: the next
    /// sections, with the number of their rows.
    ///
    /// ```json
    /// {"format":2,"version":8,"sections":[
    ///   {"section":0,"header":{"identity":"A","title":"A"},"count":12}]}
    /// ```
    public static let sections = Kind(description: "sections")
    /// The contents are whole: `{"format":2,"version":8}`.
    public static let complete = Kind(description: "complete")
    /// A changeset, as `Changeset` encodes itself.
    public static let changes = Kind(description: "changes")
    /// What became of rows since the client's position, as `KeyedChanges` encodes itself.
    ///
    /// It comes first, in place of a reset, and only with ``FeedConfiguration/answersByKey``.
    ///
    /// ```json
    /// {"format":2,"targetVersion":9,"deletes":[5],
    ///  "upserts":[{"path":{"section":0,"item":1},"id":3,"item":{…}}],
    ///  "sections":[{"header":{"identity":"A","title":"A"},"count":3}]}
    /// ```
    public static let keyed = Kind(description: "keyed")
    /// The source failed, and the feed goes on: `{"format":2,"code":"busy"}`.
    ///
    /// It lasts until ``recovered``, ``complete`` or ``keyed``; a client that comes meanwhile is
    /// told as soon as it has its contents. ``FeedEvent/error`` says more; it stays in the process.
    public static let failed = Kind(description: "failed")
    /// The source was read again after a failure: `{"format":2}`.
    ///
    /// What the client has is right, with the changes that follow, if any.
    public static let recovered = Kind(description: "recovered")
    /// The client was too slow: `{"format":2,"reason":"slow"}`.
    public static let dropped = Kind(description: "dropped")

    /// Whether a client goes on from the position that it had.
    package var keepsPosition: Bool { [.failed, .recovered, .dropped].contains(self) }
  }

  /// What happened.
  public let kind: Kind
  /// What is said, in UTF-8 without line breaks.
  public let json: [UInt8]
  /// Where a client stands that has taken in the event; nil from the beginning of a reset to its
  /// end, when it stands nowhere and has to begin anew, and where nothing was ever told.
  public let position: FeedPosition?
  /// What the source failed with, for the log of this process.
  public let error: (any Error)?

  init(_ kind: Kind, _ json: [UInt8], at position: FeedPosition?, error: (any Error)? = nil) {
    self.kind = kind
    self.json = json
    self.position = position
    self.error = error
  }
}
