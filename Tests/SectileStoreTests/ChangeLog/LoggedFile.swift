import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// A file with a change log, a store that follows it, and a connection of another program.
struct LoggedFile {
  let folder: TemporaryFolder
  let store: Store
  let other: ForeignConnection
  let path: String

  /// Creates the file by a script, and then switches the log on, for all tables or the named ones.
  init(
    _ schema: String, _ kind: StorageKind = .file, tables: [String]? = nil, isLogged: Bool = true,
    configure: (inout StoreConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = SmallWorld.configuration
    configure(&configuration)
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
    store = try kind.open(in: folder, configuration: configuration)
    try store.write { try $0.execute(schema) }
    if isLogged { try store.changeLog.enable(tables: tables, allowsAdopted: true) }
    other = try ForeignConnection(path)
  }

  /// Loads live results of a plan.
  func follow(
    _ plan: FetchPlan, _ name: String = "", foldedColumns: Set<String> = []
  ) throws -> ReplayedResults {
    let results = try ReplayedResults(plan, in: store, name: name, foldedColumns: foldedColumns)
    // Digests are taken behind the load.
    try store.checkForExternalChanges()
    return results
  }

  func close() throws {
    other.close()
    try store.close()
  }
}

// By names of their own: in an asynchronous test the calls they stand for would be asynchronous.
extension Store {
  /// Runs statements in one transaction.
  func commit(_ sql: String) throws { try write { try $0.execute(sql) } }

  /// Looks for what others have committed.
  func look() throws { try checkForExternalChanges() }
}

extension SectionedResults {
  /// Loads on this thread.
  func loadHere() throws { try load() }
}

/// How results followed what others have committed.
enum FollowedWay: Equatable {
  /// The row of the log, one by one.
  case byLog
  /// Everything was read again.
  case resync
  /// They were not concerned.
  case untouched
}

extension ResultsStatistics {
  /// How one look was followed since the statistics were these; nil where it was otherwise.
  func way(since before: ResultsStatistics) -> FollowedWay? {
    switch (loggedCount - before.loggedCount, resyncCount - before.resyncCount) {
    case (0, 0): .untouched
    case (1, 0): .byLog
    case (0, 1): .resync
    default: nil
    }
  }
}

extension ReplayedResults {
  /// Expects a closure to have others commit, which a look then follows in a certain way, exactly.
  func expect(
    _ way: FollowedWay?, in file: LoggedFile, _ label: String = "",
    sourceLocation: SourceLocation = #_sourceLocation, after body: () throws -> Void
  ) throws {
    let before = results.statistics
    try body()
    let state = try fetched()
    try file.store.checkForExternalChanges()
    let problem = try problem(after: [state])
    #expect(problem == nil, "\(name) \(label)", sourceLocation: sourceLocation)
    if let way {
      #expect(
        results.statistics.way(since: before) == way, "\(name) \(label)",
        sourceLocation: sourceLocation)
    }
  }
}
