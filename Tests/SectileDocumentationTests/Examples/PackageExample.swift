#if Macros
  import Sectile

  // The row that most articles speak of.
  // example: recipe-entity
  @Entity
  struct Package: Codable, Equatable, Identifiable, Sendable {
    var id: Int64
    var name: String
    var section: String
  }
  // example: end

  extension Package {
    static let table =
      "CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT NOT NULL, section TEXT NOT NULL)"

    static let migrations = Migrations.inline(["V0001_create_package.sql": table])

    /// Returns a store in memory that holds packages.
    static func store(_ packages: Package...) throws -> Store {
      let store = try Store.inMemory(migrations: migrations)
      try store.write { try $0.insert(contentsOf: packages) }
      return store
    }

    /// Returns a store in memory that holds apt, sed and grep.
    static func smallStore() throws -> Store {
      try store(
        Package(id: 1, name: "apt", section: "admin"),
        Package(id: 2, name: "sed", section: "editors"),
        Package(id: 3, name: "grep", section: "utils"))
    }

    static var bySection: FetchRequest<Package> {
      FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name)
    }
  }
#endif
