#if Postgres
  internal import CPostgres
  internal import SectileHub

  /// Where the server is, as users write it: words and values, or an address.
  enum ConnectionString {
    /// Refuses a text that libpq cannot read, or reads otherwise than it is meant.
    ///
    /// What libpq says of such a text repeats parts of it, among them a password that is not
    /// written as it must be.
    static func check(_ text: String) throws(HubError) {
      let isAddress = ["postgres://", "postgresql://"].contains { text.hasPrefix($0) }
      // Anything else is the name of a database.
      guard isAddress || text.contains("=") else { return }
      guard let options = PQconninfoParse(text, nil) else { throw unreadable() }
      defer { PQconninfoFree(options) }
      var option = options
      while let word = option.pointee.keyword {
        let value = option.pointee.val.map { String(cString: $0) } ?? ""
        if isAddress, isRest(value, as: String(cString: word)) { throw unreadable() }
        option += 1
      }
    }

    /// Whether a value is the rest of a password with a sign in it that ends the password.
    private static func isRest(_ value: String, as word: String) -> Bool {
      switch word {
      case "host", "dbname": value.contains("@")
      case "port": !value.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ",") }
      default: false
      }
    }

    private static func unreadable() -> HubError {
      HubError(
        .invalidSubscription, message: "the connection to PostgreSQL cannot be read",
        hint:
          "It is words and values (host=db.example dbname=depots user=replica), or an address "
          + "(postgresql://replica@db.example/depots); signs in a password of an address are written "
          + "as %40, %3A, %2F.")
    }
  }
#endif
