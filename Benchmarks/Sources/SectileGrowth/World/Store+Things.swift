internal import Sectile

extension FetchRequest<Thing> {
  /// In the order of the index.
  static var byShelf: Self { FetchRequest().sectioned(by: \.shelf).sort(by: \.rank) }

  static var byID: Self { FetchRequest().sort(by: \.id) }
}

extension Store {
  /// Opens a view of things, and loads it.
  func view(_ request: FetchRequest<Thing> = .byShelf) throws -> SectionedResults<Thing> {
    let view = try results(of: request)
    try view.load()
    return view
  }

  /// Opens views of one shelf each, and takes all but 500 things from the shelves.
  func views(ofShelves count: Int) throws -> [SectionedResults<Thing>] {
    try write { try $0.execute("UPDATE thing SET shelf = 'nobody' WHERE id > 500") }
    return try (0..<count).map { number in
      let shelf = Things.shelf(number)
      return try view(FetchRequest<Thing>().filter { $0.shelf == shelf })
    }
  }

  /// Commits one thing with another rank.
  func commit(rank: Int, of id: Int) throws {
    try write { try $0.execute(Things.change(rank: rank, of: id)) }
  }
}

extension Things {
  /// The statement that gives one thing another rank.
  static func change(rank: Int, of id: Int) -> String {
    "UPDATE thing SET rank = \(rank) WHERE id = \(id)"
  }

  /// The statement that moves things in their sections: as many as one likes, and others each time.
  static func move(_ count: Int, number: Int) -> String {
    let first = number * 37 % 30_000
    return """
      UPDATE thing SET rank = (rank * 31 + \(number)) % 100003
      WHERE id BETWEEN \(first) AND \(first + count - 1)
      """
  }

  /// Returns one of so many things with another rank than it had.
  static func moved(_ number: Int, of count: Int) -> Thing {
    var thing = thing(number * 37 % count + 1, shelves: 50)
    thing.rank = number * 101 % 100_003
    return thing
  }
}
