internal import SectileCore

/// One line of ``JSONLines``.
enum JSONLine<ItemID: Encodable, Cell: Encodable>: Encodable {
  case reload(version: Int)
  case update(from: Int, to: Int)
  case failure(String)
  case section(String, section: Int, header: SourceSection)
  case sectionMove(from: Int, to: Int, header: SourceSection)
  case row(String, path: ItemPath, id: ItemID, item: Cell?)
  case rowMove(from: ItemPath, to: ItemPath, id: ItemID, isContentChanged: Bool, item: Cell?)

  /// The format of a changeset, whose words the lines use.
  private static var format: Int { JSONTag.format }

  private enum Key: String, CodingKey {
    case reload, update, failure, format, version, sourceVersion, targetVersion
    case sections, rows, section, path, source, target, id, item, header, contentChanged
  }

  func encode(to encoder: any Encoder) throws {
    var line = encoder.container(keyedBy: Key.self)
    switch self {
    case .reload(let version):
      var head = line.nestedContainer(keyedBy: Key.self, forKey: .reload)
      try head.encode(Self.format, forKey: .format)
      try head.encode(version, forKey: .version)
    case .update(let source, let target):
      var head = line.nestedContainer(keyedBy: Key.self, forKey: .update)
      try head.encode(Self.format, forKey: .format)
      try head.encode(source, forKey: .sourceVersion)
      try head.encode(target, forKey: .targetVersion)
    case .failure(let message):
      try line.encode(message, forKey: .failure)
    case .section(let kind, let section, let header):
      try line.encode(kind, forKey: .sections)
      try line.encode(section, forKey: .section)
      try line.encode(header, forKey: .header)
    case .sectionMove(let source, let target, let header):
      try line.encode("move", forKey: .sections)
      try line.encode(source, forKey: .source)
      try line.encode(target, forKey: .target)
      try line.encode(header, forKey: .header)
    case .row(let kind, let path, let id, let item):
      try line.encode(kind, forKey: .rows)
      try line.encode(path, forKey: .path)
      try line.encode(id, forKey: .id)
      try line.encodeIfPresent(item, forKey: .item)
    case .rowMove(let source, let target, let id, let isContentChanged, let item):
      try line.encode("move", forKey: .rows)
      try line.encode(source, forKey: .source)
      try line.encode(target, forKey: .target)
      try line.encode(id, forKey: .id)
      try line.encode(isContentChanged, forKey: .contentChanged)
      try line.encodeIfPresent(item, forKey: .item)
    }
  }
}
