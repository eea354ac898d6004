internal import Sectile

/// Finding rows' paths by their keys.
struct LookupCase: GuardCase {
  static let name = "lookup"
  static let summary = "find the paths of 1,000 keys in a view of 5,000 rows"
  static let counts = Counts(few: 20, many: 120)

  private let store: Store
  private let results: SectionedResults<Track>
  private let keys: [Int64]
  private var found = 0

  init() throws {
    store = try TrackStore.make().store
    results = try store.results(of: .indexed)
    try results.load()
    var generator = TrackGenerator(seed: 3)
    keys = (0..<1_000).map { _ in Int64(generator.number(1..<TrackStore.size + 1)) }
  }

  mutating func perform() throws {
    for key in keys where results.path(of: key) != nil { found += 1 }
  }

  func verify(performed count: Int) throws {
    try check(found == count * keys.count, "\(found) paths were found")
    for key in keys {
      guard let path = results.path(of: key), try results.item(at: path).id == key else {
        throw GuardError("the path of key \(key) is wrong")
      }
    }
  }
}
