#if HTTP && Server
  import Sectile
  import SectilePresenting

  /// A row of the list, whichever source it comes from.
  enum ListRow: Hashable, Sendable {
    case package(Package)
    case note(Note)
    case headline(Headline)
    case banner(String)

    /// What the row shows, column by column.
    var columns: [String] {
      switch self {
      case .package(let package): [package.name, package.version]
      case .note(let note): [note.text]
      case .headline(let headline): [headline.title, "no. \(headline.id)"]
      case .banner(let text): ["* \(text) *"]
      }
    }

    /// The kind of cell that shows the row.
    var kind: CellKind {
      if case .banner = self { "banner" } else { "row" }
    }
  }

  /// A row of the SQLite table `package`.
  struct Package: Entity, Hashable {
    var id: Int64
    var name: String
    var version: String
    var section: String
    /// In KB.
    var size: Int
    /// What the rows of a section are ordered by.
    var position: Int

    static let schema = EntitySchema<Package>(
      "package", primaryKey: "id", attributes: .init("id", \.id), .init("name", \.name),
      .init("version", \.version), .init("section", \.section), .init("size", \.size),
      .init("position", \.position))

    init(_ id: Int64, _ name: String, _ version: String, in section: String, size: Int) {
      (self.id, self.name, self.version, self.section) = (id, name, version, section)
      (self.size, position) = (size, Int(id) * 1_000)
    }

    init(row: inout RowReader) throws {
      (id, name, version) = try (row.next(), row.next(), row.next())
      (section, size, position) = try (row.next(), row.next(), row.next())
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(name)
      try row.append(version)
      try row.append(section)
      try row.append(size)
      try row.append(position)
    }
  }

  /// An element of an array.
  struct Note: Identifiable, Hashable, Sendable {
    let id: Int
    var text: String
  }

  /// What the service sends.
  struct Headline: Identifiable, Hashable, Codable, Sendable {
    let id: Int
    var title: String
  }
#endif
