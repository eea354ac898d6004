extension DataSourceError.Code {
  /// The item's own source cannot do what it was asked for.
  public static let notSupported = DataSourceError.Code("notSupported")
  /// The item's own source holds items of another type.
  public static let itemTypeMismatch = DataSourceError.Code("itemTypeMismatch")
  /// The item and the place it should go to belong to two sources.
  public static let differentSources = DataSourceError.Code("differentSources")
  /// The source has no item of the identity.
  public static let noSuchItem = DataSourceError.Code("noSuchItem")
  /// The source has no section of the identity.
  public static let noSuchSection = DataSourceError.Code("noSuchSection")
  /// The item is another by now than the one that somebody read.
  public static let itemChanged = DataSourceError.Code("itemChanged")
  /// The items of the source cannot be compared with what somebody read.
  public static let notComparable = DataSourceError.Code("notComparable")
  /// The item would stay in its section: a filter or a closure decides by the item which section
  /// has it.
  public static let sectionIsWorkedOut = DataSourceError.Code("sectionIsWorkedOut")
}

extension DataSourceError {
  package static func notSupported(
    _ capability: EditingCapability, by source: any DataSource
  ) -> DataSourceError {
    DataSourceError(
      code: .notSupported,
      message: "The source “\(source.name)” does not support \(capability) items.",
      hint: "Ask canEdit(_:at:) first, or change what the source is made of.")
  }

  package static func duplicateIdentity(_ id: some Hashable) -> DataSourceError {
    DataSourceError(
      code: .duplicateIdentity, message: "Two items have one id.",
      hint: "Give every item an id of its own, or leave the second one out.",
      identity: IdentityText.text(of: id))
  }

  static func itemTypeMismatch(
    _ given: Any.Type, _ expected: Any.Type, in source: any DataSource
  ) -> DataSourceError {
    DataSourceError(
      code: .itemTypeMismatch,
      message: "The source “\(source.name)” holds \(expected), not \(given).",
      hint: "The item was transformed on its way; hand over what its own source holds.")
  }

  package static func noSuchItem(in source: any DataSource) -> DataSourceError {
    DataSourceError(
      code: .noSuchItem, message: "The source “\(source.name)” has no item of that identity.",
      hint: "Somebody may have removed it; path(of:) says whether it is there.")
  }

  static func itemChanged(in source: any DataSource) -> DataSourceError {
    DataSourceError(
      code: .itemChanged,
      message: "An item of the source “\(source.name)” was changed since it was read.",
      hint: "Look at what is there now, and edit that.")
  }

  static func notComparable(in source: any DataSource) -> DataSourceError {
    DataSourceError(
      code: .notComparable,
      message: "The items of the source “\(source.name)” cannot be compared.",
      hint: "Let them be Equatable, or edit them whatever they are.")
  }

  static func sectionIsWorkedOut(
    _ target: ItemPath, in source: any DataSource
  ) -> DataSourceError {
    DataSourceError(
      code: .sectionIsWorkedOut,
      message: "Which items section \(target.section) of “\(source.name)” has is worked out "
        + "from the items, so that moving one does not bring it there.",
      hint: "Replace the item by one that belongs there, or section the source itself by a column.")
  }

  package static func noSuchSection(in source: any DataSource) -> DataSourceError {
    DataSourceError(
      code: .noSuchSection,
      message: "The source “\(source.name)” has no section of that identity.",
      hint: "The sections of its snapshot tell which there are: 5 and the text 5 are two.")
  }

  package static func differentSources(
    _ source: any DataSource, _ target: any DataSource
  ) -> DataSourceError {
    DataSourceError(
      code: .differentSources,
      message: "The item belongs to “\(source.name)”, its new place to “\(target.name)”.",
      hint: "Remove the item from the one source and insert it into the other.")
  }
}
