#if Macros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @Suite struct EntityExpansionTests {
    @Test func structGetsItsConformance() {
      expectExpansion(
        of: """
          @Entity
          public struct Package {
            public var id: Int64
            var installedSize: Int?
            @Attribute("section") var group: String { didSet {} }
            @Attribute(.json) var tags: [String]
            @Transient var isSelected = false
            static let limit = 3
            var title: String { group }
          }
          """,
        is: """
          public struct Package {
            public var id: Int64
            var installedSize: Int?
            var group: String { didSet {} }
            var tags: [String]
            var isSelected = false
            static let limit = 3
            var title: String { group }
          }

          extension Package: SectileStore.Entity {
            public static let schema = SectileStore.EntitySchema<Package>(
              "package", primaryKey: "id",
              attributes:
                .init("id", \\.id),
                .init("installed_size", \\.installedSize),
                .init("section", \\.group),
                .init("tags", json: \\.tags))

            public init(row: inout SectileStore.RowReader) throws {
              self.id = try row.next()
              self.installedSize = try row.next()
              self.group = try row.next()
              self.tags = try row.nextJSON()
            }

            public func write(to row: inout SectileStore.RowWriter) throws {
              try row.append(self.id)
              try row.append(self.installedSize)
              try row.append(self.group)
              try row.appendJSON(self.tags)
            }
          }
          """)
    }

    @Test func formsOfColumnsAreDeclared() {
      expectExpansion(
        of: """
          @Entity
          struct Visit {
            @Attribute(.uuidBlob) var id: UUID
            @Attribute("at", .unixSeconds) var placedAt: Date?
            var bytes: [UInt8]
          }
          """,
        is: """
          struct Visit {
            var id: UUID
            var placedAt: Date?
            var bytes: [UInt8]
          }

          extension Visit: SectileStore.Entity {
            static let schema = SectileStore.EntitySchema<Visit>(
              "visit", primaryKey: "id",
              attributes:
                .init("id", \\.id, as: .uuidBlob),
                .init("at", \\.placedAt, as: .unixSeconds),
                .init("bytes", \\.bytes))

            init(row: inout SectileStore.RowReader) throws {
              (self.id, self.placedAt, self.bytes) = try (row.next(), row.next(), row.next())
            }

            func write(to row: inout SectileStore.RowWriter) throws {
              try row.append(self.id)
              try row.append(self.placedAt)
              try row.append(self.bytes)
            }
          }
          """)
    }

    @Test func aScaleIsWrittenIntoTheForm() {
      expectExpansion(
        of: """
          @Entity
          struct Invoice {
            var id: Int64
            @Attribute("cents", .decimal(scale: 2)) var total: Decimal?
          }
          """,
        is: """
          struct Invoice {
            var id: Int64
            var total: Decimal?
          }

          extension Invoice: SectileStore.Entity {
            static let schema = SectileStore.EntitySchema<Invoice>(
              "invoice", primaryKey: "id",
              attributes:
                .init("id", \\.id),
                .init("cents", \\.total, as: .decimal(scale: 2)))

            init(row: inout SectileStore.RowReader) throws {
              (self.id, self.total) = try (row.next(), row.next())
            }

            func write(to row: inout SectileStore.RowWriter) throws {
              try row.append(self.id)
              try row.append(self.total)
            }
          }
          """)
    }

    @Test func markedPropertiesMakeACompositeKey() {
      expectExpansion(
        of: """
          @Entity("album_track")
          struct Track {
            @Attribute(.primaryKey) var album: Int64
            @Attribute("number", .primaryKey) let position: Int
          }
          """,
        is: """
          struct Track {
            var album: Int64
            let position: Int
          }

          extension Track: SectileStore.Entity {
            static let schema = SectileStore.EntitySchema<Track>(
              "album_track", primaryKey: "album", "number",
              attributes:
                .init("album", \\.album),
                .init("number", \\.position))

            init(row: inout SectileStore.RowReader) throws {
              (self.album, self.position) = try (row.next(), row.next())
            }

            func write(to row: inout SectileStore.RowWriter) throws {
              try row.append(self.album)
              try row.append(self.position)
            }

            var id: ID {
              ID(album: album, position: position)
            }

            struct ID: SectileStore.EntityKey {
              var album: Int64
              var position: Int

              init(album: Int64, position: Int) {
                self.album = album
                self.position = position
              }

              init(keyValues: [SectileCore.StoredValue]) throws {
                var key = SectileStore.KeyReader(keyValues)
                self.album = try key.next()
                self.position = try key.next()
              }

              var keyValues: [SectileCore.StoredValue] {
                album.keyValues + position.keyValues
              }
            }
          }
          """)
    }

    @Test func oneMarkedPropertyIsTheIdentity() {
      expectExpansion(
        of: """
          @Entity
          struct Country {
            @Attribute(.primaryKey) var code: String
          }
          """,
        is: """
          struct Country {
            var code: String
          }

          extension Country: SectileStore.Entity {
            static let schema = SectileStore.EntitySchema<Country>(
              "country", primaryKey: "code",
              attributes:
                .init("code", \\.code))

            init(row: inout SectileStore.RowReader) throws {
              self.code = try row.next()
            }

            func write(to row: inout SectileStore.RowWriter) throws {
              try row.append(self.code)
            }

            var id: String {
              code
            }
          }
          """)
    }
  }
#endif
