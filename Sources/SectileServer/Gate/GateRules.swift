#if Server
  internal import NIOCore
  internal import NIOHTTP1

  /// What the head of a request must be like, before anything is looked up for it.
  ///
  /// The rules are asked in the order in which they stand in ``refusal(of:at:)``, of what was
  /// received and not of what a router makes of it: who is at the gate decides by the same bytes as
  /// who comes after it.
  struct GateRules: Sendable {
    /// Names besides the address that the server listens at, in lower case; with a port they are
    /// good for that port alone.
    let allowedHosts: Set<String>

    init(allowedHosts: [String] = []) {
      self.allowedHosts = Set(allowedHosts.map { $0.lowercased() })
    }

    /// Returns why a request is refused; nil where it may go on.
    ///
    /// - Parameters:
    ///   - head: The request.
    ///   - address: The address that the client has connected to.
    /// - Returns: The refusal.
    func refusal(of head: HTTPRequestHead, at address: SocketAddress?) -> Refusal? {
      let hosts = head.headers["Host"]
      guard head.version == .http1_1 else {
        return Refusal(
          .badRequest, "the request is of HTTP \(head.version.major).\(head.version.minor)",
          hint: "Speak HTTP/1.1.")
      }
      guard hosts.count == 1, let host = hosts.first?.lowercased(), !host.isEmpty else {
        return Refusal(
          .badRequest, "the request has \(hosts.count) Host headers", hint: "Send one.")
      }
      if let refusal = Self.refusal(ofTarget: head.uri) { return refusal }
      guard isOurs(host, at: address) else {
        return Refusal(
          .misdirected, "this server does not go by the name of the request's Host header",
          hint: "Use the address that sectile serve printed, or start it with --allow-host NAME.")
      }
      guard head.method == .GET || head.method == .HEAD else {
        return Refusal(.methodNotAllowed, "the server only reads", hint: "Use GET or HEAD.")
      }
      return refusalOfBody(head.headers) ?? refusalOfOrigin(head.headers, host: host)
    }

    // MARK: The target

    /// Refuses what is no path of this server's, as it stands: absolute forms, other forms than one
    /// for the same path, and bytes that no target has.
    private static func refusal(ofTarget target: String) -> Refusal? {
      guard target.utf8.first == UInt8(ascii: "/") else {
        return Refusal(
          .badRequest, "the target of the request is no path",
          hint: "Ask for a path: GET / HTTP/1.1.")
      }
      guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
        return Refusal(
          .badRequest, "the target has bytes that have to be encoded",
          hint: "Percent-encode the parameters.")
      }
      let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
      // No path of this server's needs any of these; what a proxy or a router would make of them is
      // no matter.
      guard path.allSatisfy({ !#"%\;"#.utf8.contains($0) }) else {
        return Refusal(
          .badRequest, "the path is not a plain one", hint: "Leave escapes and backslashes out.")
      }
      let segments = path.dropFirst().split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      let isPlain = segments.enumerated().allSatisfy { position, segment in
        (!segment.isEmpty || (position == 0 && segments.count == 1))
          && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
      }
      guard isPlain else {
        return Refusal(
          .badRequest, "the path is not a plain one",
          hint: "Leave '.', '..' and empty segments out.")
      }
      return nil
    }

    // MARK: Whom it is for

    private func isOurs(_ host: String, at address: SocketAddress?) -> Bool {
      guard let (name, port) = Self.parts(of: host) else { return false }
      if allowedHosts.contains(host) || allowedHosts.contains(name) { return true }
      guard let address, let ip = address.ipAddress, let ownPort = address.port,
        (port ?? 80) == ownPort
      else { return false }
      let isLoopback = Self.isLoopback(ip)
      return name == Self.literal(of: ip) || (isLoopback && name == "localhost")
    }

    /// Splits a host into a name, with the brackets of IPv6, and a port; nil where it is neither.
    static func parts(of host: String) -> (name: String, port: Int?)? {
      let bytes = Array(host.utf8)
      let nameEnd: Int
      if bytes.first == UInt8(ascii: "[") {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        nameEnd = end + 1
      } else {
        nameEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
      }
      let name = String(decoding: bytes[..<nameEnd], as: UTF8.self)
      guard !name.isEmpty else { return nil }
      if nameEnd == bytes.count { return (name, nil) }
      guard bytes[nameEnd] == UInt8(ascii: ":"), bytes.count > nameEnd + 1,
        bytes[(nameEnd + 1)...].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ),
        let port = Int(String(decoding: bytes[(nameEnd + 1)...], as: UTF8.self)), port <= 65_535
      else { return nil }
      return (name, port)
    }

    /// An address as it stands in a URL.
    static func literal(of ip: String) -> String {
      // The scope of a link-local address is none of the client's.
      let plain = unmapped(ip).prefix { $0 != "%" }
      return plain.contains(":") ? "[\(plain)]" : String(plain)
    }

    /// Whether an address can only be reached from this machine.
    static func isLoopback(_ ip: String) -> Bool {
      let parts = unmapped(ip).split(separator: ".", omittingEmptySubsequences: false)
      return ip == "::1"
        || (parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil })
    }

    /// An address of IPv4, also where it is written as one of IPv6.
    private static func unmapped(_ ip: String) -> String {
      let prefix = "::ffff:"
      return ip.hasPrefix(prefix) && ip.contains(".") ? String(ip.dropFirst(prefix.count)) : ip
    }

    // MARK: Who asks

    private func refusalOfBody(_ headers: HTTPHeaders) -> Refusal? {
      let lengths = headers["Content-Length"]
      guard headers["Transfer-Encoding"].isEmpty, lengths.allSatisfy({ $0 == "0" }) else {
        return Refusal(.badRequest, "the request has a body", hint: "Leave it out.")
      }
      return nil
    }

    /// Refuses what pages of other sites have browsers ask, and no program.
    private func refusalOfOrigin(_ headers: HTTPHeaders, host: String) -> Refusal? {
      let sites = headers["Sec-Fetch-Site"]
      guard sites.count <= 1, sites.allSatisfy({ ["same-origin", "none"].contains($0) }) else {
        return Refusal(
          .forbidden, "a page of another site asks",
          hint: "Copy the address into the browser's address bar.")
      }
      let origins = headers["Origin"]
      let own = ["http://\(host)", "https://\(host)"]
      guard origins.count <= 1, origins.allSatisfy({ own.contains($0.lowercased()) }) else {
        return Refusal(
          .forbidden, "a page of another origin asks",
          hint: "Mount the routes in the service whose pages need them.")
      }
      return nil
    }
  }
#endif
