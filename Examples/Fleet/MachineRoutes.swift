#if Postgres && Server
  import Hummingbird
  import Sectile
  import SectileHub

  /// What a machine answers besides its page: writes, where it stands, all of its rows.
  ///
  /// Writes below `parcels` are answered when the hub and the machine's own rows have them. Those
  /// below `offline/parcels` are answered at once, with the hub or without; what becomes of them
  /// the machine hears later.
  struct MachineRoutes {
    let name: String
    let replica: Replica

    func add(to router: Router<BasicRequestContext>) {
      let (name, replica) = (name, replica)
      router.add(middleware: RefusalAnswers())
      router.get("status") { _, _ in try await MachineStatus(of: replica, name: name) }
      router.get("rows") { _, _ in try await Self.rows(of: replica.store) }
      addWrites(to: router.group("parcels")) { body in
        let mutation = try await replica.write(body)
        return WriteAnswer(mutation: mutation.map { "\($0.client)/\($0.number)" })
      }
      addWrites(to: router.group("offline/parcels")) { body in
        WriteAnswer(entry: try await replica.enqueue(body))
      }
    }

    private typealias Body = @Sendable (inout MutationDraft) throws -> Void

    private func addWrites(
      to group: RouterGroup<BasicRequestContext>,
      by write: @escaping @Sendable (@escaping Body) async throws -> WriteAnswer
    ) {
      group.post { request, context in
        let parcel = try await request.decode(as: Parcel.self, context: context)
        return try await write { try $0.insert(into: "parcel", values: parcel.values) }
      }
      group.patch(":id") { request, context in
        let id = try context.parameters.require("id", as: Int64.self)
        let change = try await request.decode(as: ParcelChange.self, context: context)
        return try await write { try $0.update("parcel", key: id, set: change.values) }
      }
      // Several at once: all of them, or none.
      group.patch { request, context in
        let changes = try await request.decode(as: [ParcelChange].self, context: context)
        return try await write { draft in
          for change in changes {
            guard let id = change.id else {
              throw HTTPError(.badRequest, message: "Each change needs the id of a parcel.")
            }
            try draft.update("parcel", key: id, set: change.values)
          }
        }
      }
      group.delete(":id") { _, context in
        let id = try context.parameters.require("id", as: Int64.self)
        return try await write { try $0.delete(from: "parcel", key: id) }
      }
    }

    /// All rows of both tables, as of one commit: a line for each, in a fixed order.
    private static func rows(of store: Store) async throws -> String {
      let lines = try await store.read { transaction in
        let depots = try transaction.query(
          "SELECT 'depot|' || id || '|' || name || '|' || sectile_rev FROM depot ORDER BY id")
        let parcels = try transaction.query(
          """
          SELECT 'parcel|' || id || '|' || depot || '|' || state || '|' || weight || '|' || sectile_rev
          FROM parcel ORDER BY id
          """)
        return (depots + parcels).map { row in
          if case .text(let line)? = row.values.first { line } else { "" }
        }
      }
      return lines.map { $0 + "\n" }.joined()
    }
  }

  /// What became of a write.
  private struct WriteAnswer: ResponseEncodable {
    /// Which mutation the hub has committed.
    var mutation: String?
    /// Which entry of the outbox it is.
    var entry: Int64?
  }

  /// Answers what the hub refuses, and that it cannot be reached, by statuses that clients
  /// understand.
  private struct RefusalAnswers: RouterMiddleware {
    func handle(
      _ request: Request, context: BasicRequestContext,
      next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
      do {
        return try await next(request, context)
      } catch let error as HubError {
        switch error.code {
        case .rejected: throw HTTPError(.conflict, message: error.message)
        case .unavailable: throw HTTPError(.serviceUnavailable, message: error.message)
        default: throw HTTPError(.unprocessableContent, message: error.message)
        }
      }
    }
  }
#endif
