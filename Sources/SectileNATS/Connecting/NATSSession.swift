#if NATS
  internal import CNats
  internal import SectileHub

  /// A connection to a server of NATS, with what asks its JetStream, used in one place at a time.
  ///
  /// One that was lost stays lost: what a stream brings after a gap would not be what comes next.
  final class NATSSession {
    /// A message of a stream.
    struct Message {
      /// Its number in the stream.
      let number: UInt64
      let bytes: [UInt8]
    }

    private let connection: OpaquePointer
    private let context: OpaquePointer
    /// What ends the waiting.
    private let isEnded: () -> Bool

    // MARK: - Mutable state
    //
    // Confined to the place that uses the session.
    // - `subscription`: what brings messages; nil where nothing does.
    private var subscription: OpaquePointer?

    init(
      _ location: NATSLocation, name: String, isEnded: @escaping @Sendable () -> Bool
    ) throws {
      var connection: OpaquePointer?
      let status = sectile_nats_connect(
        &connection, location.servers.joined(separator: ","), name, location.credentialsFile,
        Int64(location.answerLimit / .milliseconds(1)))
      guard status == NATS_OK, let connection else {
        throw Self.error(status, "no server of NATS can be connected to")
      }
      var context: OpaquePointer?
      let found = natsConnection_JetStream(&context, connection, nil)
      guard found == NATS_OK, let context else {
        natsConnection_Destroy(connection)
        throw Self.error(found, "NATS gives no JetStream")
      }
      (self.connection, self.context) = (connection, context)
      self.isEnded = isEnded
    }

    deinit {
      if let subscription { natsSubscription_Destroy(subscription) }
      jsCtx_Destroy(context)
      natsConnection_Destroy(connection)
    }

    /// Whether it is of no use any more.
    var isClosed: Bool { natsConnection_IsClosed(connection) }

    /// How many bytes a message may have.
    var payloadLimit: Int { Int(natsConnection_GetMaxPayload(connection)) }

    /// Throws where whoever uses it does not want it any more.
    func checkEnded() throws {
      if isEnded() { throw CancellationError() }
    }

    // MARK: - Streams

    /// Makes a stream where there is none of the name.
    func makeStream(
      _ name: String, subject: String, byteLimit: Int64 = 0, ageLimit: Duration = .zero
    ) throws {
      var code = jsErrCode(rawValue: 0)
      let status = sectile_nats_make_stream(
        context, name, subject, byteLimit, Int64(ageLimit / .nanoseconds(1)), &code)
      try Self.check(status, code, "the stream \(name) cannot be made")
    }

    /// The numbers of a stream's messages: from the first to the one after the last; nil where
    /// there is no such stream.
    func numbers(of stream: String) throws -> Range<UInt64>? {
      var (first, last): (UInt64, UInt64) = (0, 0)
      var code = jsErrCode(rawValue: 0)
      let status = sectile_nats_range(context, stream, &first, &last, &code)
      if status == NATS_NOT_FOUND { return nil }
      try Self.check(status, code, "the stream \(stream) cannot be looked at")
      return min(first, last + 1)..<(last + 1)
    }

    /// Returns a message of a stream by its number; nil where the stream does not have it.
    func message(_ number: UInt64, of stream: String) throws -> Message? {
      var code = jsErrCode(rawValue: 0)
      var message: OpaquePointer?
      let status = js_GetMsg(&message, context, stream, number, nil, &code)
      return try taken(message, status, code)
    }

    /// Returns the last message of a subject; nil where the stream has none, or is not there.
    func lastMessage(of subject: String, in stream: String) throws -> Message? {
      var code = jsErrCode(rawValue: 0)
      var message: OpaquePointer?
      let status = js_GetLastMsg(&message, context, stream, subject, nil, &code)
      return try taken(message, status, code)
    }

    private func taken(
      _ message: OpaquePointer?, _ status: natsStatus, _ code: jsErrCode
    ) throws -> Message? {
      if status == NATS_NOT_FOUND { return nil }
      try Self.check(status, code, "a message of NATS cannot be read")
      return message.map(Self.take)
    }

    /// Removes a stream's messages before a number.
    func removeMessages(of stream: String, before number: UInt64) throws {
      var code = jsErrCode(rawValue: 0)
      let status = sectile_nats_purge(context, stream, number, &code)
      try Self.check(status, code, "messages of the stream \(stream) cannot be removed")
    }

    // MARK: - Publishing

    /// Publishes a message, and waits until the stream has it.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - subject: Its subject.
    ///   - stream: The stream.
    ///   - last: The number of the stream's last message; 0 for one that never had any. Where it is
    ///     another, somebody else has published, and this is refused.
    ///   - identity: By what the stream knows the message again; nil for nothing.
    /// - Returns: The message's number.
    /// - Throws: `HubError` with the code `unavailable`.
    func publish(
      _ bytes: [UInt8], to subject: String, in stream: String, after last: UInt64,
      identity: String? = nil
    ) throws -> UInt64 {
      var number: UInt64 = 0
      var code = jsErrCode(rawValue: 0)
      let status = bytes.withUnsafeBytes { buffer in
        sectile_nats_publish(
          context, subject, buffer.baseAddress, Int32(buffer.count), identity, stream, last,
          &number, &code)
      }
      if status != NATS_OK, code == JSStreamWrongLastSequenceErr {
        throw HubError(
          .unavailable, message: "the stream \(stream) has other messages than this relay's",
          hint: "Let one relay publish into a stream.")
      }
      try Self.check(status, code, "the stream \(stream) takes no message")
      return number
    }

    // MARK: - Following

    /// Has the messages of a subject come from a number on, for ``next(until:)``.
    func subscribe(to subject: String, in stream: String, from number: UInt64) throws {
      if let subscription { natsSubscription_Destroy(subscription) }
      subscription = nil
      var code = jsErrCode(rawValue: 0)
      var found: OpaquePointer?
      let status = sectile_nats_subscribe(&found, context, stream, subject, number, &code)
      subscription = found
      try Self.check(status, code, "the stream \(stream) cannot be followed")
    }

    /// Waits for the next message; nil where none has come until an instant.
    ///
    /// - Throws: `HubError`; `CancellationError`.
    func next(until deadline: ContinuousClock.Instant) throws -> Message? {
      guard let subscription else {
        throw HubError(.unavailable, message: "the connection to NATS was lost")
      }
      while true {
        try checkEnded()
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        var message: OpaquePointer?
        // What does not want it any more is not kept waiting for long.
        let patience = Int64(max(0, min(left.rounded(.up), 100)))
        let status = natsSubscription_NextMsg(&message, subscription, patience)
        if status == NATS_OK, let message { return Self.take(message) }
        guard status == NATS_TIMEOUT else {
          throw Self.error(status, "the connection to NATS was lost")
        }
        if .now >= deadline { return nil }
      }
    }

    // MARK: - What is behind them

    private static func take(_ message: OpaquePointer) -> Message {
      defer { natsMsg_Destroy(message) }
      let bytes = UnsafeRawBufferPointer(
        start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
      return Message(number: sectile_nats_number(message), bytes: Array(bytes))
    }

    private static func check(_ status: natsStatus, _ code: jsErrCode, _ problem: String) throws {
      guard status != NATS_OK else { return }
      throw error(status, code.rawValue == 0 ? problem : "\(problem) (\(code.rawValue))")
    }

    private static func error(_ status: natsStatus, _ problem: String) -> HubError {
      let reason = natsStatus_GetText(status).map { String(cString: $0) } ?? "unknown"
      let isAboutRights = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED
      return HubError(
        isAboutRights ? .notPermitted : .unavailable, message: "\(problem): \(reason)",
        hint: status == NATS_NO_RESPONDERS
          ? "Start nats-server with --jetstream, or with jetstream {} in its configuration." : nil)
    }
  }
#endif
