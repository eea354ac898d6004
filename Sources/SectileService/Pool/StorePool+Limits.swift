#if Service
  extension StorePool {
    /// How many stores a pool has open at a time, and how many wait for one.
    public struct Limits: Hashable, Sendable {
      /// How many stores may be open; 500 by default.
      public var openCount = 500
      /// How many tasks may wait for a place where all stores are in use; 10,000 by default.
      ///
      /// More are refused with `busy`.
      public var waitingCount = 10_000
      /// What the page caches of all stores of a folder may take together, in bytes; 1 GiB by
      /// default.
      ///
      /// Each connection gets its share, where `StoreConfiguration.cacheByteCount` is larger than
      /// that.
      public var cacheByteCount = 1_024 * 1_024 * 1_024
      /// How many descriptors the stores of a folder may have open; nil, the default, for half of
      /// what the system allows the process (`ulimit -n`, `LimitNOFILE`).
      ///
      /// A store takes up to four, and two for each of its readers: with one reader, 500 stores
      /// take 3,000. Where that is too many, fewer stores are open: see ``StorePool/openLimit``.
      public var descriptorCount: Int?

      /// Creates the defaults.
      public init() {}
    }

    /// What a pool has at the moment, and what it has done.
    ///
    /// The numbers are of one moment.
    public struct Statistics: Hashable, Sendable, Codable {
      /// How many stores are open, are being opened, or are being closed.
      public let openCount: Int
      /// How many of them are in use.
      public let inUseCount: Int
      /// How many tasks wait for a store.
      public let waitingCount: Int
      /// How many stores were opened.
      public let openedCount: Int
      /// How many could not be opened.
      public let failedOpeningCount: Int
      /// How many could not be closed in order, and were let go of.
      public let failedClosingCount: Int
    }
  }
#endif
