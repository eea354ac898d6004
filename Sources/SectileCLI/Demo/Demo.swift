internal import Sectile
internal import SectilePresenting

/// One run of the demo: a store, live results of its packages, and a printer of what they tell.
final class Demo {
  private static let insertChunk = 500

  private let file: DpkgStatusFile
  private let database: DemoDatabase
  private let rowsPerSection: Int
  private let output: Output
  private let store: Store
  private let results: SectionedResults<InstalledPackage>
  private let printer: ChangePrinter

  /// Opens, and where needed creates, the database.
  init(
    file: DpkgStatusFile, database: DemoDatabase, rowsPerSection: Int, output: Output
  ) throws {
    self.file = file
    self.database = database
    self.rowsPerSection = rowsPerSection
    self.output = output
    store = try Store.open(
      at: database.path, migrations: .inline(["V0001_create_package.sql": Self.schema]))
    printer = ChangePrinter(output: output)
    results = try store.results(
      of: FetchRequest<InstalledPackage>()
        .sectioned(by: \.section, nulls: .last)
        .sort(by: \.name))
    results.delegate = printer
  }

  private static let schema = """
    CREATE TABLE package (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      architecture TEXT NOT NULL,
      version TEXT NOT NULL,
      section TEXT,
      installed_size INTEGER,
      priority TEXT,
      status TEXT NOT NULL,
      maintainer TEXT
    ) STRICT;
    CREATE INDEX package_by_section ON package (section, name, id);
    """

  /// Ends the live results and closes the database.
  func close() throws {
    results.cancel()
    try store.close()
    try output.flush()
  }

  // MARK: - Loading

  /// Reads the input into the database, loads the results and prints them.
  func load() throws {
    let clock = ContinuousClock()
    let contents = try read()
    var change = PackageChange()
    let duration = try clock.measure {
      change = try store.write { try Self.bring(contents.packages, into: $0) }
    }
    try output.line("Database:  \(TerminalText.escaped(database.path))")
    try output.line(
      "Input:     \(TerminalText.escaped(file.path)), \(contents.packages.count) packages")
    if contents.skippedCount > 0 {
      try output.line("           \(contents.skippedCount) paragraphs name no package")
    }
    try output.line("Stored:    \(change), in \(DurationText.text(duration))")
    try output.line()
    try output.line("First load")
    printer.show(.counts)
    let loading = try clock.measure { try results.load() }
    try output.line("  took \(DurationText.text(loading))")
    try output.line()
    try printSections()
    try output.flush()
  }

  private func read() throws -> DpkgStatusFile.Contents {
    let size = try file.stamp().size
    var progress = Progress("Reading \(TerminalText.escaped(file.path))", total: Int(size))
    defer { try? progress.finish() }
    return try file.read { try progress.advance(to: $0) }
  }

  /// Makes the table hold exactly the given packages, and touches no row that is right already.
  private static func bring(
    _ packages: [InstalledPackage], into transaction: StoreTransaction
  ) throws -> PackageChange {
    var change = PackageChange()
    var former: [String: InstalledPackage] = [:]
    for package in try transaction.fetchAll(FetchRequest<InstalledPackage>()) {
      former[package.id] = package
    }
    var added: [InstalledPackage] = []
    for package in packages {
      switch former.removeValue(forKey: package.id) {
      case nil:
        added.append(package)
      case package:
        break
      default:
        try transaction.update(package)
        change.updated += 1
      }
    }
    for id in former.keys.sorted() {
      try transaction.delete(InstalledPackage.self, key: id)
      change.removed += 1
    }
    var progress = Progress("Storing packages", total: added.count)
    defer { try? progress.finish() }
    for start in stride(from: 0, to: added.count, by: insertChunk) {
      let chunk = added[start..<min(start + insertChunk, added.count)]
      try transaction.insert(contentsOf: chunk)
      change.added += chunk.count
      try progress.advance(to: change.added)
    }
    return change
  }

  private func printSections() throws {
    let sections = results.sections
    try output.line(
      "\(CountText.text(results.numberOfItems, "package")) in "
        + CountText.text(sections.count, "section"))
    for (ordinal, section) in sections.enumerated() {
      let count = results.numberOfItems(in: ordinal)
      try output.line()
      try output.line("\(SectionText.name(of: section)) (\(count))")
      var table = TextTable(indentation: "  ", output: output)
      for row in 0..<min(count, rowsPerSection) {
        let package = try results.item(at: ItemPath(section: ordinal, item: row))
        try table.append([
          .init(package.name), .init(package.architecture), .init(package.version),
          .init(SizeText.text(kibibytes: package.installedSize), isNumber: true),
        ])
      }
      try table.finish()
      if count > rowsPerSection && rowsPerSection > 0 {
        try output.line("  … \(count - rowsPerSection) more")
      }
    }
  }

  // MARK: - Transactions

  /// Commits the demo's transactions, one after the other.
  func runSteps() throws {
    for (number, step) in DemoStep.allCases.enumerated() {
      try output.line()
      guard let action = try step.action(on: results) else {
        try output.line("\(number + 1). skipped: there are too few packages for it")
        continue
      }
      try output.line("\(number + 1). \(TerminalText.escaped(action.title))")
      try commit(action)
    }
    try output.line()
    try output.line(
      "\(CountText.text(results.numberOfItems, "package")) in "
        + "\(CountText.text(results.numberOfSections, "section")), "
        + "version \(results.version) of the results")
    try output.line(
      database.isTemporary
        ? "Keep the file with --database FILE, then look into it: sectile sqlite FILE"
        : "Look into the file: sectile sqlite \(TerminalText.escaped(database.path))")
  }

  private func commit(_ action: DemoStep.Action) throws {
    printer.show(.changes)
    let before = results.version
    var isRolledBack = false
    let duration = try ContinuousClock().measure {
      do {
        try store.write { try action.body($0) }
      } catch is DemoStep.RolledBack {
        isRolledBack = true
      }
    }
    if results.version == before { try output.line("  no callbacks: nothing changed") }
    try output.line(
      "  \(isRolledBack ? "rolled back" : "committed") in \(DurationText.text(duration))"
        + (results.version == before ? "" : ", the diff included"))
    try output.flush()
  }

  // MARK: - Watching

  /// Follows the input file and the database until the process is told to stop.
  func watch(every interval: Duration) throws {
    let stop = StopSignal()
    var known = try file.stamp()
    var complaint: String?
    try output.line()
    try output.line("Watching; Ctrl-C ends it.")
    try output.flush()
    printer.show(.announced("Another process changed the database"))
    while !stop.wait(for: interval) {
      do {
        // The store looks by itself, too; here it keeps step with the input file.
        try store.checkForExternalChanges()
        let stamp = try file.stamp()
        if stamp == known { continue }
        let contents = try file.read()
        known = stamp
        complaint = nil
        printer.show(.announced("\(file.path) changed"))
        let change = try store.write { try Self.bring(contents.packages, into: $0) }
        printer.show(.announced("Another process changed the database"))
        if change.isEmpty { try output.line("\(TerminalText.escaped(file.path)): nothing new") }
        try output.flush()
      } catch let failure as CommandFailure where failure.code != .inputOutput {
        // dpkg replaces the file; a missing or half-written one is a matter of moments.
        if complaint != failure.message {
          complaint = failure.message
          try output.line(TerminalText.escaped(failure.message) + "; waiting for it")
          try output.flush()
        }
      }
    }
    try output.line("Stopped.")
  }
}
