#if Server
  import Foundation
  import NIOCore
  import NIOPosix

  /// What a test of HTTP cannot go on from.
  struct HTTPMistake: Error, CustomStringConvertible {
    let description: String
  }

  /// One answer.
  struct HTTPAnswer: Sendable {
    var status = 0
    /// By their names in lower case.
    var headers: [String: [String]] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    func object() throws -> [String: Any] {
      guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
        throw HTTPMistake(description: "no object: \(text.prefix(200))")
      }
      return object
    }

    /// The code of an error.
    var code: String? { (try? object())?["code"] as? String }
  }

  /// A connection on which bytes are written and read as they are.
  final class RawConnection {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var rest: [UInt8] = []
    /// Whether the other side has closed.
    private(set) var isClosed = false

    private init(
      _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
      _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
      self.inbound = inbound.makeAsyncIterator()
      self.outbound = outbound
    }

    /// Connects, and closes the connection when a closure ends.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - receiveBuffer: How many bytes the system may hold; nil for what it thinks best.
    ///   - body: Writes and reads.
    /// - Returns: What `body` returns.
    /// - Throws: What connecting throws, and `body`.
    static func with<Value: Sendable>(
      port: Int, receiveBuffer: Int? = nil, _ body: (RawConnection) async throws -> Value
    ) async throws -> Value {
      var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      if let receiveBuffer {
        bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer)
      }
      bootstrap = bootstrap.channelOption(.allowRemoteHalfClosure, value: true)
      let connection = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try Connection(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
      return try await connection.executeThenClose { inbound, outbound in
        try await body(RawConnection(inbound, outbound))
      }
    }

    func write(_ bytes: [UInt8]) async throws {
      try await outbound.write(ByteBuffer(bytes: bytes))
    }

    /// Says that nothing more will be written.
    func finishWriting() { outbound.finish() }

    /// Reads what there is next; nil at the end.
    func read() async throws -> [UInt8]? {
      do {
        guard let buffer = try await inbound.next() else {
          isClosed = true
          return nil
        }
        return Array(buffer.readableBytesView)
      } catch let error as IOError where error.errnoCode == ECONNRESET {
        isClosed = true
        return nil
      }
    }

    /// Reads until the other side closes.
    func readToEnd() async throws -> [UInt8] {
      var bytes = rest
      rest = []
      while let more = try await read() { bytes += more }
      return bytes
    }

    /// Reads up to some bytes, and takes them off.
    private func take(through mark: [UInt8]) async throws -> [UInt8] {
      while true {
        if let range = rest.firstRange(of: mark) {
          let taken = Array(rest[..<range.upperBound])
          rest.removeFirst(range.upperBound)
          return taken
        }
        guard let more = try await read() else {
          throw HTTPMistake(
            description: "closed behind '\(String(decoding: rest.prefix(200), as: UTF8.self))'")
        }
        rest += more
      }
    }

    private func take(count: Int) async throws -> [UInt8] {
      while rest.count < count {
        guard let more = try await read() else { throw HTTPMistake(description: "closed") }
        rest += more
      }
      defer { rest.removeFirst(count) }
      return Array(rest[..<count])
    }

    /// Reads one answer.
    func answer(isHead: Bool = false) async throws -> HTTPAnswer {
      var answer = try await head()
      if isHead || answer.status == 304 { return answer }
      if answer.headers["transfer-encoding"] == ["chunked"] {
        while let chunk = try await chunk() { answer.body += chunk }
      } else {
        let length = answer.headers["content-length"]?.first.flatMap { Int($0) } ?? 0
        answer.body = try await take(count: length)
      }
      return answer
    }

    /// Reads the head of an answer.
    func head() async throws -> HTTPAnswer {
      let head = try await take(through: Array("\r\n\r\n".utf8))
      let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
      var answer = HTTPAnswer()
      answer.status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        answer.headers[parts[0].lowercased(), default: []].append(String(value))
      }
      return answer
    }

    /// Reads a chunk of a body; nil for the last.
    func chunk() async throws -> [UInt8]? {
      let line = try await take(through: Array("\r\n".utf8))
      let digits = String(decoding: line.dropLast(2), as: UTF8.self)
      guard let size = Int(digits, radix: 16) else {
        throw HTTPMistake(description: "no chunk: \(digits)")
      }
      let chunk = try await take(count: size + 2)
      return size == 0 ? nil : Array(chunk.dropLast(2))
    }
  }
#endif
