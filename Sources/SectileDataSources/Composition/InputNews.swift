internal import SectileCore

/// What one of the inputs of a composition told.
struct InputNews<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  enum Kind: Sendable {
    /// The input changed, and this is what it shows since.
    case changed(Changeset<ItemID, Item>, to: any DataSourceSnapshot<ItemID, Item>)
    /// The input failed, and stands.
    case failed(any Error)
    /// What it told could not be followed.
    case refused(any Error)
  }

  let input: Int
  let kind: Kind
}
