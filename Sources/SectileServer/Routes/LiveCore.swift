#if Server
  internal import Hummingbird
  internal import Sectile
  internal import SectileFeed
  internal import SectileInspecting
  internal import ServiceLifecycle

  /// Answers what clients ask of views, whatever server the routes are mounted in.
  final class LiveCore: Sendable {
    let views: ViewTable
    let streams: StreamTable
    let limits: ViewLimits
    /// Reads which view is wanted; nil where none is named.
    private let request: @Sendable (QueryParameters) throws -> ViewRequest?
    private let start = ContinuousClock.now

    init(
      limits: ViewLimits, streams: StreamLimits, disclosing disclosure: Disclosure,
      request: @escaping @Sendable (QueryParameters) throws -> ViewRequest?,
      opening: @escaping ViewTable.Opening
    ) {
      self.limits = limits
      self.request = request
      views = ViewTable(limits: limits, opening: opening)
      self.streams = StreamTable(limits: streams, disclosing: disclosure)
    }

    /// Returns what is wanted.
    ///
    /// - Throws: ``Refusal`` where nothing is named.
    func wanted(_ parameters: QueryParameters) throws -> ViewRequest {
      guard let wanted = try request(parameters) else {
        throw Refusal(.badRequest, "nothing is asked for", hint: "Add table=NAME, or view=NAME.")
      }
      return wanted
    }

    /// `GET sections`: the sections, with counts and aggregates.
    func sections(_ parameters: QueryParameters) async throws -> Response {
      let hold = try await views.hold(wanted(parameters))
      return try SectionsAnswer(snapshot: hold.view.edition.snapshot(nil)).response()
    }

    /// `GET rows`: some rows of a version.
    func rows(_ parameters: QueryParameters) async throws -> Response {
      let version = try parameters.number("version", in: 0...Int.max)
      let position = try parameters.one("after")
      let from = try parameters.number("from", in: 0...Int.max / 2) ?? 0
      let count = try parameters.number("count", in: 0...limits.rowsPerAnswer) ?? 100
      let hold = try await views.hold(wanted(parameters))
      let answer = RowsAnswer(view: hold.view, limits: limits)
      return .json(try await answer.json(of: version, after: position, from: from, count: count))
    }

    /// `GET cell`: the bytes of one value.
    func cell(_ parameters: QueryParameters) async throws -> Response {
      var parameters = parameters
      let version = try parameters.number("version", in: 0...Int.max)
      let position = try parameters.one("after")
      guard let rank = try parameters.number("at", in: 0...Int.max),
        // The parameter is one of the request as well, where it names what an item has: the last is
        // the cell's.
        let column = parameters.removeLast("column")
      else {
        throw Refusal(
          .badRequest, "a cell has a rank and a column", hint: "Add at=RANK&column=NAME.")
      }
      let isDownload = try parameters.flag("download")
      let hold = try await views.hold(wanted(parameters))
      return try await CellAnswer(view: hold.view, limits: limits).response(
        of: version, after: position, at: rank, column: column, isDownload: isDownload)
    }

    /// `GET events`: a stream, with a view of its own where one is named.
    func events(
      _ parameters: QueryParameters, of session: String, _ request: Request
    ) async throws -> Response {
      let last = try parameters.one("after") ?? request.lastEventID
      let wantsItems = try parameters.flag("items")
      let wanted = try self.request(parameters)
      let hold: ViewHold? = if let wanted { try await views.hold(wanted) } else { nil }
      let stream = try streams.open(for: session)
      let response = StreamResponse(stream: stream, hasOwnView: hold != nil, streams: streams)
        .response(to: request)
      if let hold {
        try stream.join(
          hold, as: nil, after: StreamWriter.ownPosition(in: last), wantsItems: wantsItems,
          of: views)
      }
      return response
    }

    /// `GET events/ID/open`: another view joins a stream.
    func open(
      _ parameters: QueryParameters, stream id: String, of session: String
    ) async throws -> Response {
      let stream = try streams.stream(id, of: session)
      let name = try name(parameters)
      let position = ServerSentEvents.position(try parameters.one("after"))
      let wantsItems = try parameters.flag("items")
      let hold = try await views.hold(wanted(parameters))
      try stream.join(hold, as: name, after: position, wantsItems: wantsItems, of: views)
      return .json(Array("{\"format\":2,\"view\":\"\(name)\"}".utf8))
    }

    /// `GET events/ID/close`: a view leaves a stream.
    func close(
      _ parameters: QueryParameters, stream id: String, of session: String
    ) async throws -> Response {
      let stream = try streams.stream(id, of: session)
      try await stream.leave(try name(parameters))
      return .json(Array("{\"format\":2}".utf8))
    }

    private func name(_ parameters: QueryParameters) throws -> String {
      let name = try parameters.one("as") ?? ""
      guard (1...16).contains(name.utf8.count),
        name.utf8.allSatisfy({ Character(UnicodeScalar($0)).isASCIIWord })
      else {
        throw Refusal(
          .badRequest, "a view of a stream has a name of 1 to 16 letters and digits",
          hint: "Add as=NAME.")
      }
      return name
    }

    /// `GET stats`: what there is, and what it has done.
    ///
    /// - Parameter roster: The connections; nil where they are another server's.
    /// - Returns: The answer.
    /// - Throws: Nothing that a value could cause.
    func stats(_ roster: ConnectionRoster? = nil) async throws -> Response {
      let all = views.all
      let statistics = ServerStatistics(
        uptime: (ContinuousClock.now - start) / .seconds(1), streams: streams.count,
        views: all.map { ServerStatistics.View($0.view, clients: $0.users) },
        connections: roster?.count, turnedAway: roster?.turnedAway)
      return .json(try ExactJSON.encode(statistics))
    }

    /// Closes views that nobody uses, until the task is cancelled or told to end.
    func sweepUntilEnd() async {
      await cancelWhenGracefulShutdown { await self.views.sweep() }
    }

    /// Ends streams, and whatever is being read for views that are not open yet.
    func endAnswers() {
      streams.end()
      views.endOpening()
    }

    /// Ends streams and views.
    func end() async {
      streams.end()
      await views.end()
    }
  }

  extension Character {
    fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
  }
#endif
