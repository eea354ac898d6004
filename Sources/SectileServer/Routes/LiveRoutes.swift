#if Server
  public import Hummingbird
  public import Sectile
  public import ServiceLifecycle

  /// Live lists of a store as routes, which a service mounts in its own Hummingbird application.
  ///
  /// The service says which requests there are; nobody can ask for others. Whoever may ask passes
  /// the service's own middleware first: nothing of it is here, and nothing that lets pages of
  /// other origins in.
  ///
  /// ```swift
  /// let routes = LiveRoutes(
  ///   of: store, serving: ["parcels": try LiveRequest(Parcel.list)])
  /// routes.add(to: router.group("live").add(middleware: Authentication()))
  /// let application = Application(router: router, services: [routes])
  /// // GET /live/sections?view=parcels, /live/rows?view=parcels&from=0, /live/events?view=parcels
  /// ```
  ///
  /// It is a service as well: run, it closes views that nobody uses, and when the service ends it
  /// ends streams, so that the server need not wait for their clients. List it behind the server,
  /// in one group: services end from the last to the first.
  public struct LiveRoutes: Service {
    private let core: LiveCore

    /// Creates routes for some requests of a store.
    ///
    /// - Parameters:
    ///   - store: The store. It is the service's: whoever opened it closes it.
    ///   - requests: What clients may ask for, by the names by which they do.
    ///   - configuration: How much of everything there may be.
    public init(
      of store: Store, serving requests: [String: LiveRequest],
      configuration: LiveConfiguration = LiveConfiguration()
    ) {
      let names = Set(requests.keys)
      let limits = configuration.views
      core = LiveCore(
        limits: limits, streams: configuration.streams, disclosing: .nothing,
        request: { try ViewRequest(oneOf: names, in: $0) },
        opening: { wanted in
          guard case .named(let name) = wanted, let request = requests[name] else {
            throw Refusal(.notFound, "there is no such view")
          }
          return try await LiveView(wanted, in: store, owning: false, limits: limits) { _ in
            request.plan
          }
        })
    }

    /// Adds the routes: `sections`, `rows`, `cell`, `events`, and those by which views join and
    /// leave a stream.
    ///
    /// - Parameters:
    ///   - group: Where to; a group of a router, behind the service's own middleware.
    ///   - owner: Returns whose a request is, by any text: a stream that somebody opened is then
    ///     nobody else's. The names of streams are random, and not guessed, also without it.
    public func add<Routes: RouterMethods>(
      to group: Routes,
      ownedBy owner: @escaping @Sendable (Request, Routes.Context) -> String = { _, _ in "" }
    ) {
      let routes = LiveRoute.allCases.filter { !$0.isForAnyTable }
      group.group().add(middleware: RefusalAnswers(disclosure: .nothing))
        .add(routes, of: core, ownedBy: owner)
    }

    /// Runs until the service ends, and closes what nobody uses meanwhile.
    public func run() async throws {
      await withGracefulShutdownHandler {
        await core.sweepUntilEnd()
      } onGracefulShutdown: {
        core.endAnswers()
      }
      await core.end()
    }
  }

  extension RouterMethods {
    /// Adds routes that answer from a core.
    @discardableResult
    func add(
      _ routes: [LiveRoute], of core: LiveCore,
      ownedBy owner: @escaping @Sendable (Request, Context) -> String
    ) -> Self {
      for route in routes {
        get(RouterPath(route.path)) { request, context in
          let parameters = try QueryParameters(request.uri.query)
          try route.check(parameters)
          switch route {
          case .sections: return try await core.sections(parameters)
          case .rows: return try await core.rows(parameters)
          case .cell: return try await core.cell(parameters)
          case .events:
            return try await core.events(parameters, of: owner(request, context), request)
          case .open, .close:
            let stream = context.parameters.get("stream") ?? ""
            return route == .open
              ? try await core.open(parameters, stream: stream, of: owner(request, context))
              : try await core.close(parameters, stream: stream, of: owner(request, context))
          case .stats, .schema, .explain, .export, .log, .labels, .references, .facets:
            throw Refusal(.notFound, "there is no such path")
          }
        }
      }
      return self
    }
  }
#endif
