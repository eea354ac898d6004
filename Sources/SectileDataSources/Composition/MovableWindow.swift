internal import SectileCore
internal import Synchronization

/// A window that goes where it is told to, and where a row goes.
struct MovableWindow<ItemID: Hashable & Sendable, Item: Sendable>: Composition {
  typealias Fixed = Window<ItemID, Item>
  typealias Result = Fixed.Result

  /// Where the window is to be, and who hears of where it is.
  final class Position: Sendable {
    typealias Handler = @Sendable (_ before: Int, _ after: Int) -> Void

    // MARK: - Mutable state
    //
    // - `place`: guarded by itself.
    // - `told`: guarded by itself. A handler is called outside, and released there.
    private struct Told {
      var before = 0
      var after = 0
      var handler: Handler?
    }

    let place: Mutex<WindowPlace<ItemID>>
    private let told = Mutex(Told())

    init(_ place: WindowPlace<ItemID>) { self.place = Mutex(place) }

    func observe(_ handler: Handler?) {
      let former = told.withLock { exchange(&$0.handler, with: handler) }
      withExtendedLifetime(former) {}
    }

    /// Takes note of what is shown, and tells how many rows are around it where that has changed.
    func note(_ shown: Result) {
      let before = shown.ranks.lowerBound
      let after = shown.input.numberOfItems - shown.ranks.upperBound
      let handler = told.withLock { told -> Handler? in
        guard (told.before, told.after) != (before, after) else { return nil }
        (told.before, told.after) = (before, after)
        return told.handler
      }
      handler?(before, after)
    }
  }

  let position: Position

  func origin(of id: ItemID) -> (input: Int, id: ItemID)? { (0, id) }

  func arrange(_ inputs: [any DataSourceSnapshot<ItemID, Item>]) -> Result {
    window(of: inputs[0], after: nil)
  }

  /// Where its row is gone, the window stays.
  func rearrange(
    _ inputs: [any DataSourceSnapshot<ItemID, Item>], after old: Result
  ) throws -> Followed<Result>? {
    let new = window(of: inputs[0], after: old)
    guard old.numberOfSections > 0 else {
      return Followed(result: new, changes: .inserting(new))
    }
    return Followed(result: new, changes: try WholeComparison(old: old, new: new).changes())
  }

  func follow(_ change: InputChange<ItemID, Item>, from old: Result) -> Followed<Result> {
    Fixed.follow(change, from: old, to: window(of: change.new, after: old))
  }

  /// Goes where the window is to be now.
  func moved(_ old: Result) -> Followed<Result>? {
    let new = window(of: old.input, after: old)
    guard new.ranks != old.ranks || new.anchor != old.anchor else { return nil }
    let nothing = InputChange<ItemID, Item>(
      input: 0, changes: Changeset(sourceVersion: 0, targetVersion: 0), before: [old.input],
      after: [old.input])
    return Fixed.follow(nothing, from: old, to: new)
  }

  private func window(
    of input: any DataSourceSnapshot<ItemID, Item>, after old: Result?
  ) -> Result {
    let count = input.numberOfItems
    switch position.place.withLock({ $0.kind }) {
    case .from(let offset, let limit):
      return Result(input, offset: offset, limit: limit)
    case .last(let limit):
      return Result(input, offset: max(0, count - limit), limit: limit)
    case .around(let id, let before, let after):
      let rank = input.path(of: id).map { input.rank(of: $0) } ?? old?.anchor ?? 0
      let start = min(max(0, rank - before), count)
      let end = max(start, min(rank.addingSaturated(1).addingSaturated(after), count))
      return Result(input, start..<end, around: rank)
    }
  }
}

extension Int {
  /// The sum; the largest or smallest number where it is beyond.
  func addingSaturated(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? (other > 0 ? .max : .min) : sum
  }
}
