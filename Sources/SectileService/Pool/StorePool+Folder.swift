#if Service
  public import SectileStore

  extension StorePool {
    /// Creates a pool of the files in a folder: the store of a name is the file `name.sqlite`.
    ///
    /// ```swift
    /// var configuration = StoreConfiguration()
    /// configuration.readerCount = 1
    /// let pool = StorePool(
    ///   folder: "/var/lib/parcels", configuration: configuration, migrations: Parcel.migrations)
    /// ```
    ///
    /// A name consists of ASCII letters, digits, `-`, `_` and `.`, begins with no dot, and has at
    /// most 100 characters: so none leads out of the folder. Others are refused with
    /// `invalidRequest`, and files that may not be created with `noSuchFile`. Names that differ in
    /// case alone are different: do not use them in a folder that ignores case.
    ///
    /// - Parameters:
    ///   - folder: Where the files are; it must exist.
    ///   - limits: How many stores may be open, and what they may take.
    ///   - configuration: How each of them is opened. With hundreds of stores, one reader each is
    ///     enough.
    ///   - migrations: What their schema needs; they are applied when a store is opened.
    ///   - createsFiles: Whether a file is created where there is none. Say no where names come
    ///     from clients, and create the files of tenants elsewhere.
    public convenience init(
      folder: String, limits: Limits = Limits(),
      configuration: StoreConfiguration = StoreConfiguration(), migrations: Migrations = .none,
      creatingFiles createsFiles: Bool = true
    ) {
      let readerCount = max(1, configuration.readerCount)
      var limits = limits
      let descriptors = limits.descriptorCount ?? (DescriptorLimit.count ?? .max) / 2
      limits.openCount = max(1, min(limits.openCount, descriptors / (4 + 2 * readerCount)))
      var configuration = configuration
      configuration.cacheByteCount = min(
        configuration.cacheByteCount,
        max(64 * 1_024, limits.cacheByteCount / limits.openCount / (readerCount + 1)))
      self.init(limits: limits) { [configuration] name in
        guard Self.isFileName(name) else {
          throw StoreError(
            .invalidRequest, message: "The name of a store is none that a file of a pool has",
            hint: "Use ASCII letters, digits, '-', '_' and '.', no dot first, 100 at most.")
        }
        let path = "\(folder)/\(name).sqlite"
        guard createsFiles || FileIdentity(path) != nil else {
          throw StoreError(
            .noSuchFile, message: "\(path): there is no such file",
            hint: "Create the store before it is asked for, or create the pool with creatingFiles.")
        }
        return try await Store.open(
          at: path, configuration: configuration, migrations: migrations)
      }
    }

    /// Whether a name is one of a file in the folder, and of no other place.
    private static func isFileName(_ name: String) -> Bool {
      guard (1...100).contains(name.utf8.count), name.utf8.first != UInt8(ascii: ".") else {
        return false
      }
      return name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
    }
  }
#endif
