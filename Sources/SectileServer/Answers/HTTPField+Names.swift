#if Server
  internal import HTTPTypes

  extension HTTPField.Name {
    /// What clients of streams hand back when they connect again.
    static let lastEventID = HTTPField.Name(known: "Last-Event-ID")

    /// Creates the name of a field that is written in this program.
    ///
    /// - Precondition: It is a name.
    init(known name: String) {
      guard let field = HTTPField.Name(name) else { preconditionFailure("\(name) is no name") }
      self = field
    }
  }
#endif
