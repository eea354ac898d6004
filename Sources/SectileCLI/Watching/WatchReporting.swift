internal import Sectile

/// What live results of a file's rows are.
typealias WatchedResults = SectionedResults<UntypedRow>
/// A change of them.
typealias WatchedChanges = Changeset<UntypedRow.ID, UntypedRow>

/// Hears what happens in a watch.
///
/// The calls come one at a time, on the thread the watch runs on, in the order of what happened:
/// `begin`, then `willLoad changed* (finished | failed)` again and again, `schemaChanged` in
/// between, and `differs` once where contents that began anew are loaded. What a call throws ends
/// the watch.
protocol WatchReporting: AnyObject, Sendable {
  /// The contents begin, or begin anew after the schema changed: empty, at version zero.
  func begin(_ request: WatchedRequest, _ results: WatchedResults) throws

  /// The schema became another one; nil where the request has no table or key in it now.
  ///
  /// With `restarts`, ``begin(_:_:)`` follows. A file that was vacuumed counts as a new schema.
  func schemaChanged(to request: WatchedRequest?, restarts: Bool) throws

  /// Changes of the contents of a version follow.
  func willLoad(at version: Int) throws

  /// The contents changed; readers see those after the change.
  func changed(_ changes: WatchedChanges, isFirstLoad: Bool, _ results: WatchedResults) throws

  /// Contents that began anew are loaded, and are not those that were told before.
  ///
  /// It leads from the contents before the new schema, told by an older ``begin(_:_:)``, to those
  /// of now: who shows first loads has shown all of it. Its source version is zero, where the
  /// contents began anew.
  func differs(by changes: WatchedChanges, _ results: WatchedResults) throws

  /// A load, or what one look found, is complete.
  func finished(_ results: WatchedResults) throws

  /// Loading failed; the last good contents stay.
  func failed(_ error: any Error) throws
}

/// What is watched, by name.
struct WatchedRequest: Hashable, Sendable {
  /// The path of the file, as it was given.
  let file: String
  /// The table or view.
  let table: String
  /// The columns that are shown.
  let columns: [String]
  /// The columns that tell rows apart.
  let key: [String]
  /// What rows are grouped by, as it was given.
  let sectionBy: String?
  /// Whether the file is taken for one that nobody changes.
  let isImmutable: Bool
  /// The kinds of changes that are told alone; none for all.
  var only: Set<ChangeKind> = []
}

/// A signal came in the middle of something: a reason to end, not to complain.
struct WatchStopped: Error {}
