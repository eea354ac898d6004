extension Store {
  /// Whether a store is as it should be, for who watches over it.
  ///
  /// ```swift
  /// router.get("health") { _, _ in
  ///   let health = await store.health()
  ///   return Response(status: health.suggestedStatus, json: try JSONEncoder().encode(health))
  /// }
  /// // 200 {"status":"ok"}
  /// // 200 {"status":"degraded","reasons":[{"code":"diskNearlyFull","message":"…"}]}
  /// ```
  ///
  /// Messages name tables. They hold neither stored values nor paths.
  public struct Health: Hashable, Sendable {
    /// How the store is.
    public let kind: Kind
    /// What is wrong; empty where nothing is.
    public let reasons: [Reason]

    init(_ reasons: [Reason]) {
      self.reasons = reasons
      kind =
        reasons.isEmpty ? .ok : reasons.contains(where: \.code.isFatal) ? .failed : .degraded
    }

    /// The status with which a health route answers: 503 where the store cannot be used, and 200
    /// otherwise.
    ///
    /// A store that is degraded reads and writes: to take its service out of rotation would make
    /// things worse. Raise an alarm instead.
    public var suggestedStatus: Int { kind == .failed ? 503 : 200 }
  }
}

extension Store.Health {
  /// How a store is.
  ///
  /// Kinds may be added in any release, so compare with `==`, or `switch` with a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    private init(_ name: String) { description = name }

    /// Nothing is known to be wrong.
    public static let ok = Kind("ok")
    /// It can be used, and somebody should look.
    public static let degraded = Kind("degraded")
    /// It cannot be used until it is opened anew, or what is in the way goes away.
    public static let failed = Kind("failed")
  }

  /// Something that is wrong with a store.
  public struct Reason: Hashable, Sendable, Codable {
    /// What it is, for programs.
    public let code: Code
    /// What it is, in a sentence.
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
  }

  /// What may be wrong with a store.
  ///
  /// Codes may be added in any release, so compare with `==`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ name: String) { description = name }

    /// The store is closed; it failed.
    public static let closed = Code("closed")
    /// The file or its log was replaced, renamed or deleted while it was open; it failed, and has
    /// to be opened anew.
    public static let fileReplaced = Code("fileReplaced")
    /// Nothing can be read: the message has the code of the ``StoreError``; it failed.
    public static let unreadable = Code("unreadable")
    /// Nobody could read in time: all readers are busy, or the one connection of a store in memory.
    public static let busy = Code("busy")
    /// The file has several names, and is not written.
    public static let fileLinked = Code("fileLinked")
    /// Live results show what is out of date: see ``SectionedResults/failure``.
    public static let resultsFailed = Code("resultsFailed")
    /// The last look for what other processes have committed has failed.
    public static let behind = Code("behind")
    /// SQLite's log is large: somebody reads an older state for long, or nobody copies it.
    public static let logGrowing = Code("logGrowing")
    /// The file's change log is long: named readers do not come, or nothing is written that would
    /// prune it.
    public static let changeLogGrowing = Code("changeLogGrowing")
    /// The disk has little room left.
    public static let diskNearlyFull = Code("diskNearlyFull")

    /// Whether the store cannot be used.
    var isFatal: Bool { self == .closed || self == .fileReplaced || self == .unreadable }
  }

  /// From where on something is wrong.
  public struct Limits: Hashable, Sendable {
    /// How many bytes SQLite's log may take; 256 MiB by default.
    ///
    /// It keeps up to 64 MiB for good: see ``StoreConfiguration/pragmas``.
    public var logByteCount = 256 * 1024 * 1024
    /// How many rows the change log may have; nil, the default, for twice as many as
    /// ``StoreConfiguration/changeLogRetention`` keeps.
    public var changeLogRowCount: Int?
    /// How many bytes have to be free on the disk; 256 MiB by default.
    public var freeByteCount = 256 * 1024 * 1024
    /// How long reading may take; a second by default.
    ///
    /// The answer waits for that at most, so it is to be less than whoever asks waits.
    public var readingTime: Duration = .seconds(1)

    /// Creates the defaults.
    public init() {}
  }
}

extension Store.Health: CustomStringConvertible {
  /// The kind, and what is wrong, in one line.
  public var description: String {
    reasons.isEmpty
      ? "\(kind)" : "\(kind): \(reasons.map(\.message).joined(separator: "; "))"
  }
}

// MARK: - Codable

extension Store.Health: Codable {
  /// The names that the properties have in JSON.
  private enum CodingKeys: String, CodingKey {
    case kind = "status"
    case reasons
  }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(Kind.self, forKey: .kind)
    reasons = try container.decodeIfPresent([Reason].self, forKey: .reasons) ?? []
  }

  /// Writes `status`, and `reasons` where there are any.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    if !reasons.isEmpty { try container.encode(reasons, forKey: .reasons) }
  }
}

extension Store.Health.Kind: Codable {
  /// Reads the kind's name, also one of a newer release.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the kind's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Store.Health.Code: Codable {
  /// Reads the code's name, also one of a newer release.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the code's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
