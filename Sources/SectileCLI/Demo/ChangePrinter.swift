internal import Sectile
internal import SectilePresenting
internal import Synchronization

/// Prints the lifecycle of live results and the diff of each changeset.
///
/// Callbacks come on the thread that commits, and with a change from outside on a thread of the
/// store's.
final class ChangePrinter: DataSourceDelegate {
  /// How much to print.
  enum Detail {
    /// The numbers of changes.
    case counts
    /// Every change, up to ``lineLimit`` of a kind.
    case changes
    /// Every change, with a line before them that says what caused them.
    case announced(String)
  }

  /// How many changes of one kind are written out for one changeset.
  static let lineLimit = 12

  private static let lines = ChangeLines<String, InstalledPackage>(
    section: SectionText.name,
    id: { TerminalText.escaped($0) },
    item: { package in
      let size = SizeText.text(kibibytes: package.installedSize)
      return TerminalText.escaped("\(package.id) \(package.version), \(size)")
    })

  private let output: Output

  // MARK: - Mutable state
  //
  // - `detail`: guarded by its mutex; printing happens outside of it.
  private let detail = Mutex(Detail.changes)

  /// Creates a printer.
  init(output: Output) {
    self.output = output
  }

  /// Says how much to print from now on.
  func show(_ detail: Detail) {
    self.detail.withLock { $0 = detail }
  }

  // MARK: - DataSourceDelegate

  func dataSourceWillLoad(_ source: any DataSource<String, InstalledPackage>) {
    if case .announced(let cause) = detail.withLock({ $0 }) {
      print("")
      print(TerminalText.escaped(cause))
    }
    print("  willLoad")
  }

  func dataSource(
    _ source: any DataSource<String, InstalledPackage>,
    didPartiallyLoad changes: Changeset<String, InstalledPackage>
  ) {
    print("  didPartiallyLoad   \(ChangeLines.counts(of: changes))")
    if case .counts = detail.withLock({ $0 }) { return }
    for line in Self.lines.lines(of: changes, limit: Self.lineLimit) { print("    " + line) }
  }

  func dataSourceDidFinishLoading(_ source: any DataSource<String, InstalledPackage>) {
    print("  didFinishLoading")
    flush()
  }

  func dataSource(
    _ source: any DataSource<String, InstalledPackage>, didFailWith error: any Error
  ) {
    print("  didFail            \(TerminalText.escaped("\(error)"))")
    flush()
  }

  private func print(_ line: String) {
    // A delegate cannot fail; what cannot be written now fails again at the command's own flush.
    try? output.line(line)
  }

  private func flush() {
    try? output.flush()
  }
}
