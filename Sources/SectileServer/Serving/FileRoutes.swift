#if Server
  internal import Hummingbird
  internal import Sectile
  internal import SectileInspecting
  internal import Synchronization

  /// Answers what is asked of a file besides its views: its schema, what a request costs, what
  /// happened.
  final class FileRoutes: Sendable {
    private let source: FileSource
    private let exports: ExportSlots

    // MARK: - Mutable state
    //
    // - `current`: guarded by its mutex; for what is read once.
    private let current: Mutex<Store>

    /// Opens the file.
    ///
    /// - Throws: `StoreError`.
    init(of source: FileSource) throws {
      self.source = source
      exports = ExportSlots(limit: source.limits.exports)
      current = Mutex(try source.store())
    }

    private var store: Store { current.withLock { $0 } }

    /// `GET schema`: the tables, their columns, keys and indexes.
    func schema(_ parameters: QueryParameters) async throws -> Response {
      let showsAll = try parameters.flag("all")
      let document = try await BlockingCalls.shared.run { [source] in
        try SchemaAnswer(source: source).document(showingAll: showsAll).bytes()
      }
      return .json(document)
    }

    /// `GET explain`: what a request costs.
    func explain(_ wanted: ViewRequest) async throws -> Response {
      guard case .table(let request) = wanted else {
        throw Refusal(
          .badRequest, "a table is asked for", hint: "Add table=NAME, or sql=SELECT ….")
      }
      return .json(
        try await BlockingCalls.shared.run { [source, store] in
          try SQLCheck(source).check(request)
          let plan = try request.plan(in: store, withoutKey: .rowIDsAndPlaces)
          return try store.explain(plan).document(of: plan).bytes()
        })
    }

    /// `GET export`: all rows of a request as a file.
    func export(_ parameters: QueryParameters, of core: LiveCore) async throws -> Response {
      let format = try ExportFormat(parameters)
      guard case .table(let request) = try core.wanted(parameters) else {
        throw Refusal(
          .badRequest, "a table is asked for", hint: "Add table=NAME, or sql=SELECT ….")
      }
      // Of a view that is open the rows come as it shows them, also where its key was found out.
      let open = core.views.plan(ofRowsOf: request)
      return try await ExportAnswer(source: source, slots: exports)
        .response(of: request, as: format) { [store] in
          try open ?? request.plan(in: store, withoutKey: .rowIDsAndPlaces)
        }
    }

    /// `GET log`: a page of the change log.
    func log(_ parameters: QueryParameters) async throws -> Response {
      let count = try parameters.number("count", in: 1...1_000) ?? 100
      let table = try parameters.one("table")
      let token = try parameters.one("since").map { text throws(Refusal) in
        guard let token = ChangeToken(text) else {
          throw Refusal(.badRequest, "'since' is no token", hint: "Take 'next' of an answer.")
        }
        return token
      }
      return .json(
        try await BlockingCalls.shared.run { [store] in
          try LogAnswer(store: store).document(since: token, table: table, count: count).bytes()
        })
    }

    /// `GET labels`: what people call the rows that keys lead to.
    func labels(_ parameters: QueryParameters) async throws -> Response {
      let lookup = try KeyLookup(parameters)
      let label = try parameters.one("label")
      return .json(
        try await BlockingCalls.shared.run { [source] in
          try LabelsAnswer(source: source).bytes(lookup, label: label)
        })
    }

    /// `GET references`: how many rows refer to others.
    func references(_ parameters: QueryParameters) async throws -> Response {
      let lookup = try KeyLookup(parameters)
      return .json(
        try await BlockingCalls.shared.run { [source] in
          try ReferencesAnswer(source: source).document(lookup).bytes()
        })
    }

    /// `GET facets`: the most frequent values of a column.
    func facets(_ wanted: ViewRequest, _ parameters: QueryParameters) async throws -> Response {
      let count = try parameters.number("count", in: 1...FacetsAnswer.countLimit) ?? 20
      // A column may have an empty name.
      let columns = parameters.all("column")
      guard case .table(let request) = wanted, let column = columns.first, columns.count == 1 else {
        throw Refusal(
          .badRequest, "one column of a table is asked for", hint: "Add column=NAME, once.")
      }
      return .json(
        try await BlockingCalls.shared.run { [source] in
          try FacetsAnswer(source: source).bytes(of: request, column: column, count: count)
        })
    }

    /// Calls a closure whenever the schema is another one, until the task is cancelled.
    func watchSchema(_ tell: @Sendable () -> Void) async {
      var last: Int64?
      while !Task.isCancelled {
        do {
          let version = try await BlockingCalls.shared.run { [store] in
            try store.checkForExternalChanges()
            return try SchemaVersion.now(in: store)
          }
          if let last, last != version { tell() }
          last = version
        } catch let error as StoreError where error.code == .fileReplaced {
          if await reopen() { tell() }
        } catch {
          // A lock of others goes away.
        }
        try? await Task.sleep(for: source.limits.interval)
      }
    }

    /// Opens the file anew that was replaced; returns whether it could be.
    private func reopen() async -> Bool {
      guard let new = try? await BlockingCalls.shared.run({ [source] in try source.store() }) else {
        return false
      }
      let old = current.withLock { current in
        defer { current = new }
        return current
      }
      try? await old.close()
      return true
    }

    /// Closes the file.
    func end() async {
      await Deadline.close(store)
    }
  }
#endif
