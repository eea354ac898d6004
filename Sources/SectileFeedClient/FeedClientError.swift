public import SectileCore

/// Says why a client of a feed is not live.
///
/// What it shows stays, whatever the error is. After an error that is final the client does not
/// come back by itself: see ``isFinal``.
public struct FeedClientError: SectileError {
  /// What kind of error it is; more kinds may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ name: String) { description = name }

    /// The service cannot be reached, or the connection was lost.
    public static let unreachable = Code("unreachable")
    /// The service ended the stream.
    public static let streamEnded = Code("streamEnded")
    /// Nothing was heard for the time of three heartbeats.
    public static let silent = Code("silent")
    /// The service is busy, or away for a while: 408, 425, 429 or 5xx.
    public static let unavailable = Code("unavailable")
    /// The answer is no stream of events.
    public static let notAStream = Code("notAStream")
    /// The service could not read its source: see ``FeedClientError/serviceCode``.
    public static let sourceFailed = Code("sourceFailed")
    /// The service let go of the client, which was too slow.
    public static let dropped = Code("dropped")
    /// Contents are told anew; until they are whole, those before are shown.
    public static let toldAnew = Code("toldAnew")
    /// What was told does not fit what was told before; the client begins anew.
    public static let inconsistent = Code("inconsistent")
    /// The service refuses the client: 401, 403, 404 and the like, or in the middle of a stream.
    ///
    /// Final.
    public static let refused = Code("refused")
    /// Another file, source or shape stands behind the address.
    ///
    /// Final.
    public static let otherSource = Code("otherSource")
    /// Another filter, order, section or column is what the service shows.
    ///
    /// Final.
    public static let otherRequest = Code("otherRequest")
    /// The events are in a format that this version of the library does not know.
    ///
    /// Final.
    public static let unknownFormat = Code("unknownFormat")
    /// The feed tells no items.
    ///
    /// Final.
    public static let noItems = Code("noItems")
    /// The events cannot be decoded as what the client expects.
    ///
    /// Final.
    public static let unreadable = Code("unreadable")
    /// A part of the contents is larger than allowed; after a change that is, the client begins
    /// anew.
    ///
    /// Final.
    public static let eventTooLarge = Code("eventTooLarge")
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do next.
  public let hint: String?
  /// The error beneath this one.
  public let cause: (any Error)?
  /// The status of the answer, where that is what went wrong.
  public let status: Int?
  /// The code that the service gives for what failed there, such as `busy`.
  public let serviceCode: String?
  let retryAfter: Duration?

  init(
    _ code: Code, _ message: String, hint: String? = nil, cause: (any Error)? = nil,
    status: Int? = nil, serviceCode: String? = nil, retryAfter: Duration? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
    self.status = status
    self.serviceCode = serviceCode
    self.retryAfter = retryAfter
  }

  /// Whether trying again leads to the same: the client has ended, and waits for a `load()`.
  public var isFinal: Bool {
    [
      .refused, .otherSource, .otherRequest, .unknownFormat, .noItems, .unreadable, .eventTooLarge,
    ].contains(code)
  }
}

extension FeedClientError {
  /// The message, and the hint where there is one.
  public var description: String { hint.map { "\(message) \($0)" } ?? message }
}

extension FeedClientError: Hashable {
  /// Returns whether two errors say the same, whatever is beneath them.
  public static func == (left: FeedClientError, right: FeedClientError) -> Bool {
    left.code == right.code && left.message == right.message && left.hint == right.hint
      && left.status == right.status && left.serviceCode == right.serviceCode
  }

  /// Feeds code and status to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(status)
  }
}

extension FeedClientError {
  static let streamEnded = FeedClientError(.streamEnded, "The service ended the stream.")
  static let silent = FeedClientError(
    .silent, "Nothing was heard of the service for three heartbeats.")
  static let notAStream = FeedClientError(
    .notAStream, "The answer is no stream of server-sent events.",
    hint: "Check the address; a proxy may have answered instead of the service.")
  static let dropped = FeedClientError(
    .dropped, "The service let go of the client, which was too slow.")
  static let notAllowedAnyMore = FeedClientError(
    .refused, "The service does not allow the client to follow any more.",
    hint: "Check the credentials, then load the client again.")
  static let toldAnew = FeedClientError(
    .toldAnew, "The service tells its contents anew, and they are not whole yet.")
  static let noItems = FeedClientError(
    .noItems, "The feed tells sections and counts only.",
    hint: "Ask the service for a shape with items.")

  static func unreachable(_ cause: any Error) -> FeedClientError {
    FeedClientError(
      .unreachable, "The service cannot be reached, or the connection was lost.",
      hint: "Check the address and the network.", cause: cause)
  }

  static func status(_ status: Int, retryAfter: Duration?) -> FeedClientError {
    if [408, 425, 429].contains(status) || status >= 500 {
      return FeedClientError(
        .unavailable, "The service answers with the status \(status).", status: status,
        retryAfter: retryAfter)
    }
    return FeedClientError(
      .refused, "The service refuses the client with the status \(status).",
      hint: "Check address and credentials, then load the client again.", status: status)
  }

  static func sourceFailed(_ code: String) -> FeedClientError {
    FeedClientError(
      .sourceFailed, "The service cannot read what it shows.",
      hint: "Look into the log of the service.", serviceCode: code)
  }

  static func inconsistent(_ cause: (any Error)? = nil) -> FeedClientError {
    FeedClientError(
      .inconsistent, "What the service told does not fit what it told before.", cause: cause)
  }

  static func otherSource(_ what: String) -> FeedClientError {
    FeedClientError(
      .otherSource, "\(what) stands behind the address than before.",
      hint: "Load the client again to follow it, or set acceptsOtherSources.")
  }

  static let otherRequest = FeedClientError(
    .otherRequest, "The service shows another request than before.",
    hint: "Load the client again to follow it, or set acceptsOtherSources.")

  static func unknownFormat(_ format: Int) -> FeedClientError {
    FeedClientError(
      .unknownFormat,
      "The events are in format \(format); this library reads \(JSONTag.format) and earlier ones.",
      hint: "Update the client to the library's version of the service.")
  }

  static func unreadable(_ event: String, _ cause: (any Error)? = nil) -> FeedClientError {
    FeedClientError(
      .unreadable, "An event “\(event)” cannot be decoded as what the client expects.",
      hint: "Compare the client's item and identity with those of the service.", cause: cause)
  }

  static func eventTooLarge(_ limit: Int) -> FeedClientError {
    FeedClientError(
      .eventTooLarge, "An event has more than \(limit) bytes.",
      hint: "Have the service send fewer rows per part, or raise eventSizeLimit.")
  }
}
