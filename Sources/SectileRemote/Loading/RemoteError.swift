public import SectileCore

/// Says why a remote list could not be loaded.
///
/// What is there stays, whatever the error is; loading again starts where it failed.
public struct RemoteError: SectileError {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String, Sendable {
      case bodyTooLarge
      case connectionFailed
      case invalidAddress
      case loaderFailed
      case loadTimedOut
      case malformedBody
      case pageExpired
      case parserFailed
      case timedOut
      case tokenLoop
      case tooManyEmptyPages
      case tooManyPages
      case tooManyRedirects
      case unexpectedShape
      case wrongStatus
    }

    private let kind: Kind

    /// The code's name.
    public var description: String { kind.rawValue }

    /// The body of an answer is larger than allowed.
    public static let bodyTooLarge = Code(kind: .bodyTooLarge)
    /// The service cannot be reached, or the connection was lost.
    public static let connectionFailed = Code(kind: .connectionFailed)
    /// The address is none, or one that must not be followed.
    public static let invalidAddress = Code(kind: .invalidAddress)
    /// The loader threw an error of its own: see ``RemoteError/cause``.
    public static let loaderFailed = Code(kind: .loaderFailed)
    /// All requests of a load together took too long.
    public static let loadTimedOut = Code(kind: .loadTimedOut)
    /// The body is not in the format it should be in.
    public static let malformedBody = Code(kind: .malformedBody)
    /// The service does not know a page any more that it named once: the list is to be begun anew.
    public static let pageExpired = Code(kind: .pageExpired)
    /// The parser threw an error of its own: see ``RemoteError/cause``.
    public static let parserFailed = Code(kind: .parserFailed)
    /// One request took too long.
    public static let timedOut = Code(kind: .timedOut)
    /// A page names one as its next that was loaded before.
    public static let tokenLoop = Code(kind: .tokenLoop)
    /// Too many pages in a row had no items, and yet a next page.
    public static let tooManyEmptyPages = Code(kind: .tooManyEmptyPages)
    /// The list has more pages than allowed.
    public static let tooManyPages = Code(kind: .tooManyPages)
    /// The service redirects too often, or in a circle.
    public static let tooManyRedirects = Code(kind: .tooManyRedirects)
    /// The body is in the right format and has something else in it.
    public static let unexpectedShape = Code(kind: .unexpectedShape)
    /// The status of an answer is not one of success.
    public static let wrongStatus = Code(kind: .wrongStatus)
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do next.
  public let hint: String?
  /// The error beneath this one.
  public let cause: (any Error)?
  /// The status of the answer, where there was one.
  public let status: Int?
  /// How long the service asks to be left alone.
  public let retryAfter: Duration?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of error it is.
  ///   - message: What happened.
  ///   - hint: What to do next.
  ///   - cause: The error beneath this one.
  ///   - status: The status of the answer, where there was one.
  ///   - retryAfter: How long the service asks to be left alone.
  public init(
    code: Code, message: String, hint: String? = nil, cause: (any Error)? = nil,
    status: Int? = nil, retryAfter: Duration? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
    self.status = status
    self.retryAfter = retryAfter
  }

  /// Whether asking once more may help: the service was busy or out of reach.
  public var isTransient: Bool {
    switch code {
    case .timedOut, .connectionFailed: true
    case .wrongStatus: [408, 425, 429, 500, 502, 503, 504].contains(status ?? 0)
    default: false
    }
  }
}

extension RemoteError {
  /// The message, and the hint where there is one.
  public var description: String {
    hint.map { "\(message) \($0)" } ?? message
  }
}

extension RemoteError {
  /// Makes a remote error of any error; one that is remote already stays what it is.
  init(wrapping error: any Error, attempts: Int = 1) {
    if let error = error as? RemoteError {
      self = error
    } else {
      let count = attempts == 1 ? "" : " \(attempts) times"
      self.init(code: .loaderFailed, message: "The loader failed\(count): \(error)", cause: error)
    }
  }
}
