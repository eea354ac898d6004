#if HTTP
  internal import FoundationEssentials
  internal import SectileRemote

  /// An address of a service, checked, and how requests become addresses.
  struct ServiceAddress: Hashable, Sendable {
    /// The whole address, without a fragment.
    let text: String
    /// Scheme, host and port: what credentials belong to.
    let origin: String
    /// Whether the connection is encrypted.
    let isSecure: Bool

    /// Checks an address.
    ///
    /// - Throws: ``RemoteError`` with `invalidAddress` where it is none, or not one of HTTP.
    init(_ text: String, relativeTo base: ServiceAddress? = nil) throws(RemoteError) {
      let parent = base.flatMap { URL(string: $0.text) }
      let absolute = URL(string: text, relativeTo: parent)?.absoluteString ?? ""
      let whole = String(absolute.prefix { $0 != "#" })
      guard let url = URL(string: whole), let scheme = url.scheme?.lowercased(),
        scheme == "http" || scheme == "https", let host = url.host, !host.isEmpty
      else {
        throw RemoteError(
          code: .invalidAddress, message: "“\(Self.redacted(text))” is not an address of HTTP.",
          hint: "Write it as https://host/path.")
      }
      self.text = whole
      isSecure = scheme == "https"
      let port = url.port ?? (isSecure ? 443 : 80)
      origin = "\(scheme)://\(host.lowercased()):\(port)"
    }

    /// The address without its query, which may hold secrets: for messages.
    var shown: String { Self.redacted(text) }

    /// Returns the address with parameters added to its query; those of the same names give way.
    func adding(_ parameters: [PageRequest.Parameter]) throws(RemoteError) -> ServiceAddress {
      guard !parameters.isEmpty else { return self }
      let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let added = parameters.map { (Self.escaped($0.name), Self.escaped($0.value)) }
      let names = Set(added.map(\.0))
      let former = parts.dropFirst().flatMap { $0.split(separator: "&") }
        .filter { !names.contains(String($0.prefix { $0 != "=" })) }.map(String.init)
      let query = former + added.map { "\($0.0)=\($0.1)" }
      return try ServiceAddress("\(parts[0])?\(query.joined(separator: "&"))")
    }

    private static func redacted(_ text: String) -> String {
      let shown = text.prefix { $0 != "?" && $0 != "#" }
      // Scheme, nothing, host with what may be a name and a password, path.
      var parts = shown.split(separator: "/", omittingEmptySubsequences: false)
      if parts.count > 2, let at = parts[2].lastIndex(of: "@") {
        parts[2] = parts[2][parts[2].index(after: at)...]
      }
      return parts.joined(separator: "/")
    }

    /// Escapes everything but letters, digits and `-._~`.
    private static func escaped(_ text: String) -> String {
      let hexadecimal = Array("0123456789ABCDEF".utf8)
      var escaped: [UInt8] = []
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"):
          escaped.append(byte)
        default:
          escaped += [
            UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)],
          ]
        }
      }
      return String(decoding: escaped, as: UTF8.self)
    }
  }
#endif
