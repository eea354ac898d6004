internal import Sectile

/// One installed Debian package: an entity written by hand, since the tool does without the macro.
struct InstalledPackage: Entity, Hashable {
  /// Name and architecture, as in `libc6:amd64`; one name may be installed for several.
  let id: String
  var name: String
  var architecture: String
  var version: String
  /// The archive's section, as in `libs` or `contrib/net`; nil where the package has none.
  var section: String?
  /// In KiB.
  var installedSize: Int64?
  var priority: String?
  /// What dpkg says of it, as in `install ok installed`.
  var status: String
  var maintainer: String?

  /// Creates a package.
  init(
    name: String, architecture: String, version: String, section: String?, installedSize: Int64?,
    priority: String? = nil, status: String = "install ok installed", maintainer: String? = nil
  ) {
    id = architecture.isEmpty ? name : "\(name):\(architecture)"
    self.name = name
    self.architecture = architecture
    self.version = version
    self.section = section
    self.installedSize = installedSize
    self.priority = priority
    self.status = status
    self.maintainer = maintainer
  }

  // MARK: - Entity

  static let schema = EntitySchema<InstalledPackage>(
    "package", primaryKey: "id",
    attributes: .init("id", \.id), .init("name", \.name), .init("architecture", \.architecture),
    .init("version", \.version), .init("section", \.section),
    .init("installed_size", \.installedSize), .init("priority", \.priority),
    .init("status", \.status), .init("maintainer", \.maintainer))

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    architecture = try row.next()
    version = try row.next()
    section = try row.next()
    installedSize = try row.next()
    priority = try row.next()
    status = try row.next()
    maintainer = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(name)
    try row.append(architecture)
    try row.append(version)
    try row.append(section)
    try row.append(installedSize)
    try row.append(priority)
    try row.append(status)
    try row.append(maintainer)
  }
}
