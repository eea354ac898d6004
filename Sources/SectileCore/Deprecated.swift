// Former names, for those who used them before the first release.

/// The former name of ``CallbackDelivery``.
@available(*, deprecated, renamed: "CallbackDelivery")
public typealias Delivery = CallbackDelivery

extension Changeset {
  /// The former name of ``Changeset/sequentialEdits``.
  @available(*, deprecated, renamed: "sequentialEdits")
  public var sequential: [SequentialEdit<ItemID, Item>] { sequentialEdits }

  /// The former name of ``Changeset/batches``.
  @available(*, deprecated, renamed: "batches")
  public var staged: [Changeset] { batches }
}

extension DataSource {
  /// The former name of ``DataSource/canEdit(_:at:)``.
  @available(*, deprecated, renamed: "canEdit(_:at:)")
  public func canEditItem(_ capability: EditingCapability, at path: ItemPath) -> Bool {
    canEdit(capability, at: path)
  }
}

extension DataSourceSnapshot {
  /// The former name of ``DataSourceSnapshot/prefetchItem(at:)``.
  @available(*, deprecated, renamed: "prefetchItem(at:)")
  public func wantItem(at path: ItemPath) { prefetchItem(at: path) }
}

extension ItemMoving {
  /// The former name of ``ItemMoving/destination(forMovingItemAt:to:)``.
  @available(*, deprecated, renamed: "destination(forMovingItemAt:to:)")
  public func landing(from path: ItemPath, to target: ItemPath) -> ItemPath? {
    destination(forMovingItemAt: path, to: target)
  }
}
