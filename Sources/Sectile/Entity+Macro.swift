#if Macros
  internal import SectileStore

  /// Makes a struct an entity: a row of a table.
  ///
  /// Stored properties are columns, in snake case (`installedSize` is `installed_size`); the
  /// property `id` is the primary key. Computed and static properties are left alone.
  ///
  /// ```swift
  /// @Entity
  /// struct Package {
  ///   var id: Int64
  ///   var name: String
  ///   @Attribute("size") var installedSize: Int
  ///   @Attribute(.json) var tags: [String]
  ///   @Attribute(.unixSeconds) var builtAt: Date
  ///   @Attribute(.decimal(scale: 2)) var price: Decimal
  ///   @Transient var isSelected = false
  /// }
  /// ```
  ///
  /// A key of several columns is made of the properties marked with it; the macro adds the type
  /// `ID`:
  ///
  /// ```swift
  /// @Entity("album_track")
  /// struct Track {
  ///   @Attribute(.primaryKey) var album: Int64
  ///   @Attribute(.primaryKey) var position: Int
  ///   var title: String
  /// }
  /// try transaction.fetchOne(Track.self, key: .init(album: 3, position: 1))
  /// ```
  ///
  /// - Parameter table: The table; the type's name in snake case unless given.
  @attached(
    extension, conformances: Entity,
    names: named(schema), named(init(row:)), named(write(to:)), named(id), named(ID))
  public macro Entity(_ table: String? = nil) =
    #externalMacro(module: "SectileMacros", type: "EntityMacro")

  /// Names the column of a property, and says how it is used. ``Entity(_:)`` reads it.
  @attached(peer)
  public macro Attribute(_ column: String, _ options: AttributeOption...) =
    #externalMacro(module: "SectileMacros", type: "MarkerMacro")

  /// Says how the column of a property is used. ``Entity(_:)`` reads it.
  @attached(peer)
  public macro Attribute(_ options: AttributeOption...) =
    #externalMacro(module: "SectileMacros", type: "MarkerMacro")

  /// Marks a property that has no column; it needs a default value. ``Entity(_:)`` reads it.
  @attached(peer)
  public macro Transient() = #externalMacro(module: "SectileMacros", type: "MarkerMacro")
#endif
