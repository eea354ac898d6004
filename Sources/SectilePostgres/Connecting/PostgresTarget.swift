#if Postgres
  /// Which server, and how to speak to it.
  struct PostgresTarget: Sendable {
    /// What the user gave: words and values, or an address.
    var connection: String
    /// What the server calls the connection in its lists.
    var applicationName: String
    /// Whether it is a connection for replication.
    var isReplication = false
    /// Whether whole tables are read, as on a connection for replication: all rows, however long it
    /// takes.
    var readsWholeTables = false
    /// How long connecting may take.
    var connectTimeout: Duration
    /// How long an answer may take; nil for as long as it takes.
    var answerLimit: Duration?

    /// What libpq is told, in an order in which the later outdo the earlier.
    var parameters: [(name: String, value: String)] {
      // A machine that is gone without a word is noticed by the kernel, in half a minute.
      var parameters = [
        ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "4"),
        ("tcp_user_timeout", "30000"), ("fallback_application_name", applicationName),
        ("dbname", connection), ("client_encoding", "UTF8"),
      ]
      if isReplication { parameters.append(("replication", "database")) }
      return parameters
    }

    /// What every session begins with, so that values have one text whatever the server's settings.
    ///
    /// Names that stand without a schema are looked for where the user's settings say.
    var opening: String {
      var settings = [
        ("TimeZone", "UTC"), ("DateStyle", "ISO, YMD"), ("IntervalStyle", "iso_8601"),
        ("lc_monetary", "C"), ("extra_float_digits", "3"), ("bytea_output", "hex"),
        ("standard_conforming_strings", "on"),
        ("client_connection_check_interval", "5s"),
      ]
      if isReplication || readsWholeTables {
        // A copy that leaves out rows that the stream has would be another table.
        settings += [
          ("row_security", "off"), ("statement_timeout", "0"), ("lock_timeout", "0"),
          ("idle_in_transaction_session_timeout", "0"),
        ]
      }
      return "SELECT "
        + settings.map { "pg_catalog.set_config('\($0.0)', '\($0.1)', false)" }.joined(
          separator: ", ")
    }
  }
#endif
