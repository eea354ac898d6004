public import SectileCore
internal import Synchronization

/// Checks that a data source keeps the promises of ``/Sectile/DataSource``.
///
/// The source is loaded, loaded again, cancelled and observed; its counts, sections, paths and
/// items and its snapshot are compared with what its changesets add up to. Run it on every source
/// of your own:
///
/// ```swift
/// @Test func sourceKeepsThePromises() async {
///   let violations = await checkDataSource(MySource())
///   #expect(violations == [])
/// }
/// ```
///
/// - Parameters:
///   - source: A source that was not loaded yet, has no delegate, and is not changed meanwhile.
///   - limit: How long a load may take.
/// - Returns: What is wrong, one sentence each: nothing, if all is well.
public func checkDataSource<ItemID: Hashable & Sendable, Item: Equatable & Sendable>(
  _ source: any DataSource<ItemID, Item>, limit: Duration = .seconds(180)
) async -> [String] {
  await checkDataSource(source, limit: limit, isEqual: ==)
}

/// Checks a data source whose items are compared by a closure.
///
/// See ``checkDataSource(_:limit:)`` for more information.
public func checkDataSource<ItemID: Hashable & Sendable, Item: Sendable>(
  _ source: any DataSource<ItemID, Item>, limit: Duration = .seconds(180),
  isEqual: @escaping @Sendable (Item, Item) -> Bool
) async -> [String] {
  let check = DataSourceCheck(source: source, limit: limit, isEqual: isEqual)
  await check.run()
  return check.violations
}

/// One run of ``checkDataSource(_:limit:)``.
private final class DataSourceCheck<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  private let source: any DataSource<ItemID, Item>
  private let limit: Duration
  private let isEqual: @Sendable (Item, Item) -> Bool
  private let found = Mutex<[String]>([])

  init(
    source: any DataSource<ItemID, Item>, limit: Duration,
    isEqual: @escaping @Sendable (Item, Item) -> Bool
  ) {
    self.source = source
    self.limit = limit
    self.isEqual = isEqual
  }

  var violations: [String] { found.withLock { $0 } }

  func run() async {
    guard source.version == 0, source.numberOfItems == 0, source.delegate == nil else {
      return report("the source was loaded, or has a delegate, before the check")
    }
    let recorder = ChangeRecorder<ItemID, Item>()
    let observer = ChangeRecorder<ItemID, Item>()
    let untouched = source.snapshot
    source.delegate = recorder
    expect(source.delegate === recorder, "the delegate is not the one that was set")
    let token = source.observe(on: .immediate) { observer.receive($0) }

    guard await load("the first load", recorder) else { return }
    compare("after the first load", recorder, observer)
    expect(
      untouched.version == 0 && untouched.numberOfItems == 0,
      "a snapshot that was taken before the first load changes with it")
    guard await load("the second load", recorder) else { return }
    compare("after the second load", recorder, observer)

    await cancel(recorder, observer)
    token.cancel()
    let heard = observer.events.count
    guard await load("the load after cancel()", recorder) else { return }
    expect(observer.events.count == heard, "a cancelled observation still receives events")
    compare("after the load that follows cancel()", recorder, nil)

    source.delegate = nil
    expect(source.delegate == nil, "the delegate cannot be removed")
    checkThatTheDelegateIsWeak()
    source.cancel()
  }

  private func load(_ occasion: String, _ recorder: ChangeRecorder<ItemID, Item>) async -> Bool {
    recorder.reset()
    // What was wrong before was reported then.
    let known = recorder.violations.count
    do {
      try source.load()
    } catch {
      report("\(occasion) throws: \(error)")
      return false
    }
    guard await recorder.waitForEnds(1, limit: limit) else {
      report("\(occasion) does not end within \(limit)")
      return false
    }
    for error in recorder.errors { report("\(occasion) fails: \(error)") }
    for violation in recorder.violations.dropFirst(known) { report("\(occasion): \(violation)") }
    return true
  }

  private func compare(
    _ occasion: String, _ recorder: ChangeRecorder<ItemID, Item>,
    _ observer: ChangeRecorder<ItemID, Item>?
  ) {
    for difference in recorder.verify(against: source, isEqual: isEqual) {
      report("\(occasion): \(difference)")
    }
    compareSnapshot(occasion, source.snapshot, recorder.contents)
    for violation in PathsOfNothing(in: source.snapshot).violations(of: source) {
      report("\(occasion): \(violation)")
    }
    let identities = source.sections.map(\.identity)
    expect(
      Set(identities).count == identities.count, "\(occasion): two sections share an identity")
    guard let observer else { return }
    for violation in observer.violations {
      report("\(occasion), an observer: \(violation)")
    }
  }

  private func compareSnapshot(
    _ occasion: String, _ snapshot: some DataSourceSnapshot<ItemID, Item>,
    _ contents: SectionedContents<ItemID, Item>
  ) {
    for violation in checkSnapshot(snapshot) {
      report("\(occasion), in the snapshot: \(violation)")
    }
    do {
      let read = try snapshot.materialized()
      let isSame =
        read.version == contents.version
        && read.sections.elementsEqual(contents.sections) { left, right in
          left.header == right.header
            && left.rows.elementsEqual(right.rows) {
              IdentityKey($0.id) == IdentityKey($1.id) && isEqual($0.item, $1.item)
            }
        }
      expect(
        isSame,
        "\(occasion), the snapshot holds \(read) at version \(read.version), but the "
          + "changesets add up to \(contents) at version \(contents.version)")
    } catch {
      report("\(occasion), the snapshot cannot be read: \(error)")
    }
  }

  private func cancel(
    _ recorder: ChangeRecorder<ItemID, Item>, _ observer: ChangeRecorder<ItemID, Item>
  ) async {
    let before = (source.version, source.numberOfItems)
    source.cancel()
    source.cancel()
    recorder.sourceWasCancelled()
    observer.sourceWasCancelled()
    expect(
      (source.version, source.numberOfItems) == before, "cancel() changes what a reader sees")
    for difference in recorder.verify(against: source, isEqual: isEqual) {
      report("after cancel(): \(difference)")
    }
  }

  private func checkThatTheDelegateIsWeak() {
    do {
      let temporary = ChangeRecorder<ItemID, Item>(contents: SectionedContents(version: -1))
      source.delegate = temporary
    }
    expect(source.delegate == nil, "the source keeps its delegate alive")
  }

  private func expect(_ isRight: Bool, _ sentence: @autoclosure () -> String) {
    if !isRight { report(sentence()) }
  }

  private func report(_ sentence: String) {
    found.withLock { $0.append(sentence) }
  }
}
