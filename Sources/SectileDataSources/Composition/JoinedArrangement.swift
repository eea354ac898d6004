internal import SectileCore

/// An arrangement of several inputs, whose items are named by the input they come from.
protocol JoinedArrangement<Item>: Arrangement where ItemID == AnyItemID {
  var inputs: [any DataSourceSnapshot<AnyItemID, Item>] { get }
}

extension JoinedArrangement {
  func item(at path: ItemPath) throws -> Item {
    let (number, path) = origin(at: path)
    return try inputs[number].item(at: path)
  }

  func id(at path: ItemPath) -> AnyItemID {
    let (number, path) = origin(at: path)
    return AnyItemID(inputs[number].id(at: path), ofSource: number)
  }
}
