public import SectileCore

extension DataSource {
  /// Returns a source with this source's sections first, and the other's after them.
  ///
  /// The items are of one type; make them so with ``map(_:)``. Identities may be of any type: those
  /// of the result tell which of the sources an item is in. To put the items into one section,
  /// flatten the result.
  ///
  /// ```swift
  /// let list = packages.map { Row.package($0) }.concatenated(with: notes.map { Row.note($0) })
  /// ```
  public func concatenated<Other: DataSource>(
    with other: Other
  ) -> ComposedDataSource<AnyItemID, Item> where Other.Item == Item {
    .concatenating([AnyDataSource(self), AnyDataSource(other)])
  }
}

extension ComposedDataSource where ItemID == AnyItemID {
  /// Returns a source with the sections of all sources, one source after the other.
  ///
  /// The identity of a section names its source, and is a text that people can read: `1/admin`. For
  /// sources that come and go see ``DataSourceList``.
  ///
  /// - Parameters:
  ///   - sources: The sources, in order.
  ///   - name: What a reader would call the result; the names of the sources unless given.
  /// - Returns: The source; it is empty until it is loaded.
  public static func concatenating(
    _ sources: [AnyDataSource<Item>], name: String? = nil
  ) -> AnyDataSource<Item> {
    ComposedDataSource(Concatenation<Item>(), of: sources, name: name)
  }

  /// Returns a source with one section for each source, titled by its name.
  ///
  /// The sections of the sources themselves are flattened. A source without items has no section.
  ///
  /// - Parameters:
  ///   - sources: The sources, in order.
  ///   - name: What a reader would call the result; the names of the sources unless given.
  /// - Returns: The source; it is empty until it is loaded.
  public static func sectionPerSource(
    _ sources: [AnyDataSource<Item>], name: String? = nil
  ) -> AnyDataSource<Item> {
    let sections = sources.map { source in
      AnyDataSource(source.flattened(title: source.name))
    }
    return .concatenating(sections, name: name ?? sources.map(\.name).joined(separator: ", "))
  }
}
