public import SectileCore
internal import Synchronization

/// A list view that does nothing but enforce the rules of the platforms' lists.
///
/// It shows sections of rows, each row with the cell it was given last, and changes only in
/// batches. A batch must keep the rules of `performBatchUpdates` in table and collection views; a
/// real list ends the process where one does not, the simulator answers with sentences and stays as
/// it was:
///
/// * positions exist, deletes and the *from* of moves and updates before the batch, inserts and the
///   *to* of moves after it, and none is named twice;
/// * the counts add up: what is there after the batch is what was there before, less what goes,
///   plus what comes;
/// * no row moves out of a section that is deleted, or into one that is inserted;
/// * a section that moves has no row changes inside of it;
/// * a row, or a section, that is updated is not moved or deleted in the same batch; nor may a move
///   bring other contents, since a list moves the cell that it has.
///
/// ```swift
/// let list = ListViewSimulator(showing: before)
/// #expect(list.perform(changes.batches, expecting: source.snapshot) == [])
/// ```
///
/// It is the judge of ``/Sectile/Changeset/batches``. Where cells can be compared it may also stand
/// in for a list as the target of an adapter; what is wrong is then found in ``violations``. It may
/// be used from any thread.
public final class ListViewSimulator<ItemID: Hashable & Sendable, Cell: Sendable>: Sendable {
  /// What the list shows.
  public typealias Contents = SectionedContents<ItemID, Cell>

  // MARK: - Mutable state
  //
  // - `shown`: guarded by its mutex. Batches are judged outside of it, on a copy.
  // - `broken`: guarded by its mutex.
  private let shown: Mutex<Contents>
  private let broken = Mutex<[String]>([])

  /// Creates a list.
  ///
  /// - Parameter contents: What it shows at the beginning.
  public init(showing contents: Contents = Contents()) {
    shown = Mutex(contents)
  }

  /// What the list shows now.
  public var contents: Contents { shown.withLock { $0 } }

  /// What was wrong so far with what the list was told as an adapter's target, one sentence each.
  public var violations: [String] { broken.withLock { $0 } }

  func note(_ violations: [String]) {
    broken.withLock { $0 += violations }
  }

  /// Shows other contents, without a batch: what a list does when it is told to reload everything.
  public func reload(_ contents: Contents) {
    let former = shown.withLock { shown in
      defer { shown = contents }
      return shown
    }
    withExtendedLifetime(former) {}
  }

  /// Performs one batch, or refuses it.
  ///
  /// - Parameters:
  ///   - batch: The changes; one element of ``/Sectile/Changeset/batches``.
  ///   - counts: How many rows each section has after the batch according to the source, where that
  ///     is known.
  /// - Returns: The rules that the batch breaks, one sentence each. Where there are any, the list
  ///   shows what it did before.
  public func perform(_ batch: Changeset<ItemID, Cell>, expecting counts: [Int]? = nil) -> [String]
  {
    var judgement = BatchJudgement(before: contents, batch: batch)
    guard var after = judgement.contentsAfter() else { return judgement.violations }
    after.version = batch.targetVersion
    let found = after.sections.map(\.rows.count)
    if let counts, counts != found {
      return ["the batch leads to \(found) rows in the sections, but the source has \(counts)"]
    }
    reload(after)
    return []
  }

  /// Performs batches one after another, then compares what the list shows with a snapshot.
  ///
  /// - Parameters:
  ///   - batches: The batches, ``/Sectile/Changeset/batches``.
  ///   - snapshot: What the list has to show after the last of them.
  ///   - isEqual: Returns whether two cells look the same.
  /// - Returns: The rules that were broken, and the differences, one sentence each. Batches behind
  ///   one that is refused are not performed.
  public func perform(
    _ batches: [Changeset<ItemID, Cell>], expecting snapshot: any DataSourceSnapshot<ItemID, Cell>,
    isEqual: (Cell, Cell) -> Bool
  ) -> [String] {
    for (number, batch) in batches.enumerated() {
      let violations = perform(batch)
      if !violations.isEmpty { return violations.map { "batch \(number + 1): \($0)" } }
    }
    return differences(to: snapshot, isEqual: isEqual)
  }

  /// Returns where what the list shows differs from a snapshot, one sentence each.
  public func differences(
    to snapshot: any DataSourceSnapshot<ItemID, Cell>, isEqual: (Cell, Cell) -> Bool
  ) -> [String] {
    let shown = contents
    do {
      let expected = try snapshot.materialized()
      let headers = (shown.sections.map(\.header), expected.sections.map(\.header))
      guard headers.0 == headers.1 else {
        return [
          "the list shows the sections \(headers.0.map(\.words)), not \(headers.1.map(\.words))"
        ]
      }
      return zip(shown.sections, expected.sections).enumerated().flatMap { ordinal, pair in
        differences(of: pair.0.rows, to: pair.1.rows, in: ordinal, isEqual)
      }
    } catch {
      return ["the source cannot be read: \(error)"]
    }
  }

  private func differences(
    of shown: [Contents.Row], to expected: [Contents.Row], in section: Int,
    _ isEqual: (Cell, Cell) -> Bool
  ) -> [String] {
    guard shown.map({ IdentityKey($0.id) }) == expected.map({ IdentityKey($0.id) }) else {
      let (actual, wanted) = (Self.list(shown.map(\.id)), Self.list(expected.map(\.id)))
      return ["section \(section) shows the rows \(actual), not \(wanted)"]
    }
    return zip(shown, expected).enumerated().compactMap { item, pair in
      isEqual(pair.0.item, pair.1.item)
        ? nil : "the cell at [\(section),\(item)] shows \(pair.0.item), not \(pair.1.item)"
    }
  }
}

extension ListViewSimulator {
  private static func list(_ ids: [ItemID]) -> String {
    "[\(ids.map { IdentityText.text(of: $0) }.joined(separator: ", "))]"
  }
}

extension ListViewSimulator where Cell: Equatable {
  /// Performs batches one after another, then compares what the list shows with a snapshot.
  ///
  /// See ``perform(_:expecting:isEqual:)`` for more information.
  public func perform(
    _ batches: [Changeset<ItemID, Cell>], expecting snapshot: any DataSourceSnapshot<ItemID, Cell>
  ) -> [String] {
    perform(batches, expecting: snapshot, isEqual: ==)
  }
}
