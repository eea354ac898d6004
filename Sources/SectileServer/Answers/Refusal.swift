#if Server
  internal import SectileFeed

  /// Why a request is refused: a status, a code for programs, a sentence and the next step for
  /// people.
  struct Refusal: Error, Hashable, Sendable {
    /// What is wrong, in a word that programs compare.
    enum Code: String, Hashable, Sendable, CaseIterable {
      /// The request makes no sense, as HTTP or in its parameters.
      case badRequest
      /// The text says nothing to order by, is no aggregate, or is no number of rows.
      case badSort, badAggregate, badLimit
      /// There is no session.
      case unauthorized
      /// Another page asks.
      case forbidden
      /// There is no such route, stream or view.
      case notFound
      /// The file has no such table, and no change log.
      case noSuchTable, noLog
      /// Only GET and HEAD are.
      case methodNotAllowed
      /// The version is not held any more.
      case gone
      /// A value is larger than what is handed out at once.
      case tooLarge
      /// The host is not one of this server's.
      case misdirected
      /// SQLite refuses the SQL, or the table has no such column, or nothing tells its rows apart:
      /// not the columns either that were named as the key.
      case sqlRefused, noSuchColumn, noKey, badExpression
      /// There are as many streams, views or requests as there may be.
      case tooManyRequests
      /// The head of the request is larger than allowed.
      case headTooLarge
      /// A mistake of the server, or the disk.
      case `internal`
      /// Somebody has locked the file; the query took too long; the file is gone, or no database
      /// just now.
      case busy, timeout, unreadable

      /// The status of an answer with this code.
      var status: Int {
        switch self {
        case .badRequest, .badSort, .badAggregate, .badLimit: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound, .noSuchTable, .noLog: 404
        case .methodNotAllowed: 405
        case .gone: 410
        case .tooLarge: 413
        case .misdirected: 421
        case .sqlRefused, .noSuchColumn, .noKey, .badExpression: 422
        case .tooManyRequests: 429
        case .headTooLarge: 431
        case .internal: 500
        case .busy, .timeout, .unreadable: 503
        }
      }
    }

    /// What is wrong.
    let code: Code
    /// What is wrong, in a sentence.
    let message: String
    /// What to do next.
    let hint: String?
    /// The version that is there, where one that was asked for is not.
    let version: Int?

    init(_ code: Code, _ message: String, hint: String? = nil, version: Int? = nil) {
      self.code = code
      self.message = message
      self.hint = hint
      self.version = version
    }

    /// The answer's body.
    var json: [UInt8] {
      let document = Document(
        code: code.rawValue, message: message, hint: hint, version: version)
      // Texts and a number: there is nothing in it that the encoder could refuse.
      return (try? ExactJSON.encode(document)) ?? Array("{}".utf8)
    }

    private struct Document: Encodable {
      var format = 2
      let code: String
      let message: String
      let hint: String?
      let version: Int?
    }
  }
#endif
