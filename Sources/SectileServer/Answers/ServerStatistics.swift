#if Server
  internal import Sectile
  internal import SectileFeed
  internal import SectileInspecting

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// What a server has, and what it has done, as JSON says it.
  struct ServerStatistics: Encodable, Sendable {
    /// A view.
    struct View: Encodable, Sendable {
      let request: Request
      let clients: Int
      let version: Int
      let rows: Int
      let sections: Int
      /// How it keeps up with commits; nil where that cannot be told just now.
      let strategy: String?
      let heldVersions: Int
      let keptBytes: Int
      let statistics: ResultsStatistics
      let store: Store.Statistics

      init(_ view: LiveView, clients: Int) {
        let edition = view.edition
        let snapshot = edition.results.snapshot
        request = Request(view.request)
        self.clients = clients
        version = snapshot.version
        rows = snapshot.numberOfItems
        sections = snapshot.numberOfSections
        strategy = (try? edition.results.strategy).map { "\($0.kind)" }
        heldVersions = edition.heldCount
        keptBytes = edition.feed.keptBytes
        statistics = edition.results.statistics
        store = view.store.statistics
      }
    }

    /// What a view shows.
    struct Request: Encodable, Sendable {
      private enum Key: String, CodingKey {
        case view, table, sql, sectionBy, sort, filter = "where", limit, key, aggregate, column
      }

      private let request: ViewRequest

      init(_ request: ViewRequest) { self.request = request }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch request {
        case .named(let name): try container.encode(name, forKey: .view)
        case .table(let request):
          if let query = request.query {
            try container.encode(query.makeSelect().sql, forKey: .sql)
          } else {
            try container.encode(request.table, forKey: .table)
          }
          try container.encodeIfPresent(request.sectionBy, forKey: .sectionBy)
          try container.encode(request.sorts.map(\.sql), forKey: .sort)
          try container.encodeIfPresent(request.filter, forKey: .filter)
          try container.encodeIfPresent(request.limit, forKey: .limit)
          try container.encode(request.keys, forKey: .key)
          try container.encode(request.aggregates.map(\.text), forKey: .aggregate)
          try container.encode(request.columns, forKey: .column)
        }
      }
    }

    var format = 2
    let uptime: Double
    let streams: Int
    let views: [View]
    /// How many connections there are, and how many were closed for want of room; nil in another's
    /// server.
    let connections: Int?
    let turnedAway: Int?
    /// What the process takes of memory; nil where the system does not say.
    var residentBytes = ProcessMemory.residentBytes
  }

  /// What the process takes.
  enum ProcessMemory {
    /// The bytes that are in memory; nil where the system does not say.
    static var residentBytes: Int? {
      guard let file = fopen("/proc/self/statm", "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      guard fgets(&line, Int32(line.count), file) != nil else { return nil }
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let fields = text.split(separator: " ")
      guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
      return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  }
#endif
