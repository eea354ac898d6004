public import SectileCore

/// A source whose kind and whose type of identity do not matter: for keeping different ones side by
/// side.
///
/// ```swift
/// let sources: [AnyDataSource<Row>] = [
///   AnyDataSource(results.map { Row.package($0) }),
///   AnyDataSource(notes.map { Row.note($0) }),
/// ]
/// ```
public typealias AnyDataSource<Item: Sendable> = ComposedDataSource<AnyItemID, Item>

extension DataSource {
  /// The source with identities of any type: itself, where they are.
  var erased: any DataSource<AnyItemID, Item> {
    if let source = self as? any DataSource<AnyItemID, Item> { return source }
    return AnyDataSource(self)
  }
}

extension ComposedDataSource where ItemID == AnyItemID {
  /// Wraps a source.
  public convenience init<Source: DataSource>(_ source: Source) where Source.Item == Item {
    let rule = Mapping<Source.ItemID, Item, AnyItemID, Item>(
      id: { AnyItemID($0) }, inputID: { $0.unwrapped(as: Source.ItemID.self) },
      transform: { $0 })
    self.init(rule, of: [source], name: source.name)
  }
}
