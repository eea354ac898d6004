#if Server
  /// The routes there are: their paths below the place where they are mounted, and what they may be
  /// asked.
  ///
  /// What a route is asked that it does not know is refused: a misspelt condition would silently
  /// show all rows.
  enum LiveRoute: String, CaseIterable, Sendable {
    case sections
    case rows
    case cell
    case events
    case open
    case close
    case stats
    case schema
    case explain
    case export
    case log
    case labels
    case references
    case facets

    /// The path, with a colon before what varies.
    var path: String {
      switch self {
      case .open: "events/:stream/open"
      case .close: "events/:stream/close"
      default: rawValue
      }
    }

    /// Whether it is only there where any table may be asked for.
    var isForAnyTable: Bool {
      switch self {
      case .schema, .explain, .export, .log, .stats, .labels, .references, .facets: true
      default: false
      }
    }

    /// The parameters that it has besides those that say what is wanted.
    var ownParameters: [String] {
      switch self {
      case .sections, .explain, .stats: []
      case .rows: ["version", "after", "from", "count"]
      case .cell: ["version", "after", "at", "column", "download"]
      case .events: ["items", "after"]
      case .open: ["as", "items", "after"]
      case .close: ["as"]
      case .schema: ["all"]
      case .export: ["format"]
      case .log: ["since", "table", "count"]
      case .labels: ["table", "column", "keys", "label"]
      case .references: ["table", "column", "keys"]
      case .facets: ["table", "sql", "where", "column", "count"]
      }
    }

    /// Whether it is asked for a view.
    var takesRequest: Bool {
      switch self {
      case .sections, .rows, .cell, .events, .open, .explain, .export: true
      case .close, .stats, .schema, .log, .labels, .references, .facets: false
      }
    }

    /// All parameters, each once.
    var parameters: [String] {
      let request = takesRequest ? ViewRequest.tableParameters + ["view"] : []
      return request + ownParameters.filter { !request.contains($0) }
    }

    /// Refuses parameters that the route does not know.
    func check(_ parameters: QueryParameters) throws(Refusal) {
      let known = self.parameters
      guard let stray = parameters.names.subtracting(known).sorted().first else { return }
      throw Refusal(
        .badRequest, "there is no parameter '\(stray)' here",
        hint: known.isEmpty ? "There is none." : "There are \(known.joined(separator: ", ")).")
    }
  }
#endif
