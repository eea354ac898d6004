#if Server
  internal import Sectile
  internal import SectileInspecting

  /// Any SQLite file, opened for reading: read-only three times over, as the shell opens it.
  ///
  /// SQL of clients is compiled by a connection that refuses what reads nothing, before live
  /// results of it are made.
  struct FileSource: Sendable {
    let path: String
    let isImmutable: Bool
    let limits: ViewLimits
    /// The version of the program, which clients are told.
    let programVersion: String

    /// Opens a store of the file, which looks for changes only when it is told to.
    ///
    /// - Throws: `StoreError`.
    func store() throws -> Store {
      try Store.inspecting(
        path, isImmutable: isImmutable, polling: nil, busyTimeout: .seconds(1)
      ) { configuration in
        // There may be one for each view.
        configuration.readerCount = 2
        configuration.cacheByteCount = 4 << 20
        configuration.valueByteCountLimit = limits.valueBytes
        configuration.boundsTextWork = true
      }
    }

    /// Opens a connection that knows what reading is, and bounds what SQL of clients makes.
    ///
    /// - Throws: `StoreError`.
    func inspection() throws -> InspectionConnection {
      let connection = try InspectionConnection(
        path: path, isImmutable: isImmutable, busyTimeout: .seconds(1))
      connection.limitValues(to: limits.valueBytes)
      connection.boundTextWork()
      return connection
    }

    /// Opens a view of it.
    ///
    /// - Throws: ``Refusal``, `RequestError` and `StoreError`.
    func open(_ wanted: ViewRequest) async throws -> LiveView {
      guard case .table(let request) = wanted else {
        throw Refusal(.notFound, "there is no view of a name here")
      }
      do {
        return try await open(wanted, request)
      } catch let error as StoreError where error.code == .decodingFailed {
        // A NULL in the declared key, or bytes that are no text, tell no rows apart; their ids do,
        // and their places.
        guard request.keys.isEmpty else { throw error }
        let byRowID = request.query == nil ? try? await request.byRowID(in: self) : nil
        guard
          let view = try? await open(
            wanted, byRowID ?? request, withoutKey: .rowIDsAndPlacesAlone)
        else { throw error }
        return view
      }
    }

    private func open(
      _ wanted: ViewRequest, _ request: TableRequest,
      withoutKey substitute: KeySubstitute = .rowIDsAndPlaces
    ) async throws -> LiveView {
      let store = try await BlockingCalls.shared.run { try self.store() }
      do {
        return try await LiveView(wanted, in: store, owning: true, limits: limits) { store in
          try SQLCheck(self).check(request)
          return try request.plan(in: store, withoutKey: substitute)
        }
      } catch {
        await Deadline.close(store)
        throw error
      }
    }
  }

  extension TableRequest {
    /// Returns the same with the row id as the key; nil for a table whose key that is, and where
    /// there is none.
    ///
    /// - Throws: `RequestError` and `StoreError`.
    fileprivate func byRowID(in source: FileSource) async throws -> TableRequest? {
      try await BlockingCalls.shared.run {
        let connection = try source.inspection()
        let shape = try TableShape(of: table, in: "the file", on: connection)
        guard let rowID = shape.rowIDName, !shape.keyColumns.isEmpty else { return nil }
        var request = self
        request.keys = [rowID]
        return request
      }
    }
  }
#endif
