#if Server
  /// What somebody chooses who serves a file.
  package struct ServingOptions: Sendable {
    /// The file's path.
    package var file: String
    /// Whether the file is taken for one that nobody changes.
    package var isImmutable = false
    /// The address to listen at: one of this machine's, or 0.0.0.0 or :: for all.
    package var host = "127.0.0.1"
    /// The port; 0 for any that is free, nil for 8420 or the next one that is free.
    package var port: Int?
    /// Names besides the address by which browsers may call the server.
    package var allowedHosts: [String] = []
    /// Whether who asks needs the token that is printed; always, but at loopback addresses.
    package var needsToken = true
    /// How long the rows of a view may take to be read.
    package var queryTime = Duration.seconds(10)
    /// How many streams there may be.
    package var streams = 64
    /// How many views there may be.
    package var views = 64
    /// How many connections there may be.
    package var connections = 256
    /// How long the head of a request may take.
    package var headTime = Duration.seconds(10)
    /// How long a connection may be idle between requests.
    package var idleTime = Duration.seconds(60)
    /// How long a client may leave unread what was written for it.
    package var writeTime = Duration.seconds(30)
    /// How long a stream may be silent: after three times as long a page says that it is not live.
    package var heartbeat = Duration.seconds(5)
    /// How long a view stays that nobody uses.
    package var graceTime = Duration.seconds(30)
    /// How long the server waits at its end for what is being answered.
    package var stopTime = Duration.seconds(10)
    /// How long after it was asked to end a program waits for the server before it ends in any
    /// case: a little longer than the server does.
    package var lastResort: Duration { stopTime + .seconds(5) }

    /// How many bytes a row may have of which a value is handed out.
    package var cellBytes = 64 << 20
    /// How many exports may run at a time.
    package var exports = 4
    /// How long an export may take.
    package var exportTime = Duration.seconds(600)
    /// How long rows are looked for by all keys of a request.
    package var lookupTime = Duration.milliseconds(500)
    /// How long the values of a column may take to be counted.
    package var countTime = Duration.seconds(1)
    /// The version of the program, which clients are told.
    package var programVersion = ""

    /// Creates options.
    package init(file: String) { self.file = file }
  }

  /// Why a file cannot be served.
  package struct ServingError: Error, CustomStringConvertible, Sendable {
    /// What kind of mistake it is.
    package enum Code: Hashable, Sendable {
      /// The options contradict each other.
      case usage
      /// The address cannot be listened at.
      case address
    }

    package let code: Code
    package let description: String
    package let hint: String?
  }
#endif
