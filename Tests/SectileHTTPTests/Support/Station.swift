#if HTTP
  import SectileRemote
  import SectileHTTP

  /// What the lists of these tests consist of.
  struct Station: Decodable, Identifiable, Hashable, Sendable {
    let id: Int
  }

  /// An array of stations in JSON.
  func json(_ ids: some Sequence<Int>) -> String {
    "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
  }

  extension MisbehavingServer {
    /// A loader of the stations at a path.
    func service(
      _ path: String, style: PageStyle = .whole, parser: JSONPageParser<Station> = .init(),
      headers: HeaderFields = [:], options: HTTPOptions = HTTPOptions(), bodySizeLimit: Int = 10_000
    ) throws -> RemoteService<Station> {
      let transport = try HTTPTransport(
        serviceURL: origin + path, headers: headers, options: options)
      return RemoteService(
        transport: transport, parser: parser, style: style, bodySizeLimit: bodySizeLimit)
    }
  }

  extension RemoteConfiguration {
    /// One attempt, no waits: an error is delivered as it comes.
    static var impatient: RemoteConfiguration { RemoteConfiguration(retry: .never) }
  }
#endif
