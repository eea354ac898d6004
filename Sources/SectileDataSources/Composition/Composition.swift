internal import SectileCore

/// A rule by which the contents of some sources become the contents of one.
///
/// A rule is pure: what it arranges depends on the inputs alone. So following changes one by one
/// gives the same as arranging the inputs anew, and that is how it is tested.
protocol Composition<ItemID, Item>: Sendable {
  associatedtype InputID: Hashable & Sendable
  associatedtype InputItem: Sendable
  associatedtype ItemID: Hashable & Sendable
  associatedtype Item: Sendable
  associatedtype Result: Arrangement<ItemID, Item>

  /// Whether the last input is loaded first.
  var loadsLastInputFirst: Bool { get }

  /// What an error calls an input; nil for the name of the source.
  func name(ofInput input: Int) -> String?

  /// Whether an item itself decides whether it is shown.
  var selectsItems: Bool { get }

  /// Whether an item itself decides in which section it is shown.
  var assignsSections: Bool { get }

  /// Whether the rows of a section are shown the other way round.
  var reversesRows: Bool { get }

  /// Returns of which input's row a row is made; nil for an identity that no row can have.
  func origin(of id: ItemID) -> (input: Int, id: InputID)?

  /// Returns what the inputs give.
  ///
  /// - Throws: What reading from an input, or the user's closure, throws.
  func arrange(_ inputs: [any DataSourceSnapshot<InputID, InputItem>]) throws -> Result

  /// Returns what the inputs give where it is not known what has changed, for a rule that shows
  /// something else than what they show now.
  ///
  /// - Parameters:
  ///   - inputs: The inputs.
  ///   - old: What the inputs gave before.
  /// - Returns: What they give now, and what is different; nil where that is to be arranged from
  ///   the inputs alone, and found by comparing.
  /// - Throws: What ``arrange(_:)`` throws.
  func rearrange(
    _ inputs: [any DataSourceSnapshot<InputID, InputItem>], after old: Result
  ) throws -> Followed<Result>?

  /// Returns the versions of the inputs in which the rows that are shown are found.
  func inputs(
    shownBy result: Result, of inputs: [any DataSourceSnapshot<InputID, InputItem>]
  ) -> [any DataSourceSnapshot<InputID, InputItem>]

  /// Returns what the inputs give after one of them changed.
  ///
  /// - Parameters:
  ///   - change: What changed.
  ///   - old: What the inputs gave before.
  /// - Returns: What they give now, and what is different.
  /// - Throws: What reading from an input, or the user's closure, throws.
  func follow(
    _ change: InputChange<InputID, InputItem>, from old: Result
  ) throws -> Followed<Result>
}

extension Composition {
  var loadsLastInputFirst: Bool { false }
  var selectsItems: Bool { false }
  var assignsSections: Bool { false }
  var reversesRows: Bool { false }
  func name(ofInput input: Int) -> String? { nil }

  func rearrange(
    _ inputs: [any DataSourceSnapshot<InputID, InputItem>], after old: Result
  ) throws -> Followed<Result>? { nil }

  func inputs(
    shownBy result: Result, of inputs: [any DataSourceSnapshot<InputID, InputItem>]
  ) -> [any DataSourceSnapshot<InputID, InputItem>] { inputs }
}

/// A change of one of the inputs of a composition.
struct InputChange<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Input = any DataSourceSnapshot<ItemID, Item>

  /// Which of the inputs changed.
  let input: Int
  let changes: Changeset<ItemID, Item>
  /// All inputs as they were.
  let before: [Input]
  /// All inputs as they are.
  let after: [Input]

  /// The changed input as it was.
  var old: Input { before[input] }
  /// The changed input as it is.
  var new: Input { after[input] }
}

/// Where a rule arrived by following a change.
struct Followed<Result: Arrangement>: Sendable {
  let result: Result
  /// What is different; its versions are of no meaning.
  let changes: Changeset<Result.ItemID, Result.Item>
}
