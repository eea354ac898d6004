// Former names, for those who used them before the first release.

public import SectileStore

/// The former name of ``RemoteListRow``.
@available(*, deprecated, renamed: "RemoteListRow")
public typealias Loadable<Item: Identifiable & Sendable> = RemoteListRow<Item>
where Item.ID: Sendable

/// The former name of ``RemoteListRowID``.
@available(*, deprecated, renamed: "RemoteListRowID")
public typealias LoadableID<ID: Hashable & Sendable> = RemoteListRowID<ID>

/// The former name of ``PersistentRemoteList``.
@available(*, deprecated, renamed: "PersistentRemoteList")
public typealias StoreMediator<Model: Entity, Page: Codable & Hashable & Sendable> =
  PersistentRemoteList<Model, Page>
