#if Server
  internal import Synchronization

  /// Who may ask: browsers and programs that opened a URL with a token that was good for once.
  ///
  /// ```text
  ///   GET /?token=T   T is the one that is good ──▶ a cookie for whoever opened it;
  ///                                                 T is used up, U is made
  ///                   anything else             ──▶ nothing
  /// ```
  final class Sessions: Sendable {
    /// How many sessions there are; beyond that the oldest ends.
    private static let limit = 64

    private struct State {
      var token = Secret.make()
      /// The oldest first.
      var cookies: [String] = []
    }

    /// Whether a session is needed at all.
    let isNeeded: Bool
    /// Called with the next token when one was used.
    private let onTokenUsed: @Sendable (String) -> Void

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex.
    private let state = Mutex(State())

    init(isNeeded: Bool, onTokenUsed: @escaping @Sendable (String) -> Void = { _ in }) {
      self.isNeeded = isNeeded
      self.onTokenUsed = onTokenUsed
    }

    /// The token that is good now.
    var token: String { state.withLock { $0.token } }

    /// Uses a token up, and returns the cookie of a new session; nil where the token is not good.
    func redeem(_ token: String) -> String? {
      let made = state.withLock { state -> (cookie: String, next: String)? in
        guard Secret.isEqual(token, state.token) else { return nil }
        state.token = Secret.make()
        let cookie = Secret.make()
        state.cookies.append(cookie)
        if state.cookies.count > Self.limit { state.cookies.removeFirst() }
        return (cookie, state.token)
      }
      guard let made else { return nil }
      onTokenUsed(made.next)
      return made.cookie
    }

    /// Returns whom a request is from, where it may ask; nil where it may not.
    ///
    /// - Parameter cookies: The values of the session's cookie that it has.
    /// - Returns: The session, by a name that is the same for all its requests.
    func session(among cookies: [String]) -> String? {
      guard isNeeded else { return "" }
      let known = state.withLock { $0.cookies }
      return known.first { known in cookies.contains { Secret.isEqual($0, known) } }
    }
  }

  /// Random texts that nobody guesses.
  enum Secret {
    private static let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Returns a text of so many letters, digits, `-` and `_`, of six random bits each.
    static func make(length: Int = 32) -> String {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<length).map { _ in
        alphabet[Int(UInt8.random(in: 0..<64, using: &generator))]
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Compares texts in a time that says nothing of where they differ.
    static func isEqual(_ first: String, _ second: String) -> Bool {
      let first = Array(first.utf8)
      let second = Array(second.utf8)
      guard first.count == second.count else { return false }
      return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
  }
#endif
