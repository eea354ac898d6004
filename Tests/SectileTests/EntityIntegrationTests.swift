#if Macros
  import Foundation
  import Sectile
  import Testing

  enum Mood: String, StorableValue { case calm, wild }

  struct Place: Codable, Equatable, Sendable {
    var name: String
    var since: Date
  }

  /// An entity with a property of every type.
  @Entity("everything")
  struct Everything: Equatable {
    var id: Int64?
    var truth: Bool
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var double: Double
    var float: Float
    var text: String
    var data: Data
    var bytes: [UInt8]
    var date: Date
    var uuid: UUID
    var website: URL
    var price: Decimal
    var mood: Mood
    @Attribute("nothing") var missing: String?
    @Attribute(.json) var place: Place
    @Attribute("old_place", .json) var oldPlace: Place?
    var `default`: Int
    @Transient var isSelected = false
    static let limit = 3
    var title: String { text }
  }

  /// A track of an album, with a composite key.
  @Entity
  public struct AlbumTrack: Equatable {
    /// The album.
    @Attribute(.primaryKey) public var album: UUID
    /// The place on the album.
    @Attribute(.primaryKey) public let position: Int
    /// The title.
    public var title: String = ""

    /// What refers to a track.
    public struct Relationships: EntityRelationships {
      /// The notes on the track.
      public let notes = ToMany<Note>("album", "position")
      /// Creates the relationships.
      public init() {}
    }
  }

  /// A note on a track.
  @Entity
  public struct Note {
    /// The key.
    public var id: Int
    var album: UUID
    var position: Int
  }

  @Suite struct EntityIntegrationTests {
    private let everything = Everything(
      id: 1, truth: true, int: .min, int8: .min, int16: .max, int32: .min, int64: .max,
      uint: UInt(Int.max), uint8: .max, uint16: .max, uint32: .max, uint64: 7, double: 0.1,
      float: 0.1, text: "a\0b", data: Data([0, 255]), bytes: [1, 0],
      date: Date(timeIntervalSince1970: 1_769_903_999.125), uuid: UUID(),
      website: URL(filePath: "/tmp/a b"), price: Decimal(1999) / 100, mood: .wild, missing: nil,
      place: Place(name: "Nîmes", since: Date(timeIntervalSince1970: 0.5)), oldPlace: nil,
      default: 5)

    private func makeStore() throws -> Store {
      let columns = Everything.schema.columns.dropFirst().map { "\"\($0)\"" }
      let store = try Store.inMemory()
      try store.write { transaction in
        try transaction.execute(
          """
          CREATE TABLE everything (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")));
          CREATE TABLE album_track (
            album TEXT, position INTEGER, title TEXT, PRIMARY KEY (album, position)) WITHOUT ROWID;
          """)
      }
      return store
    }

    @Test func everyTypeRoundTrips() throws {
      let store = try makeStore()
      try store.write { transaction in
        try transaction.insert(everything)
        var second = everything
        second.id = nil
        second.missing = ""
        second.oldPlace = second.place
        second.id = try transaction.insert(second)
        #expect(second.id == 2)
        #expect(try transaction.fetchOne(Everything.self, key: 1) == everything)
        #expect(try transaction.fetchOne(Everything.self, key: 2) == second)
      }
    }

    @Test func transientAndComputedPropertiesHaveNoColumn() {
      #expect(Everything.schema.columns.count == 26)
      #expect(Everything.schema.columns.contains("old_place"))
      #expect(Everything.schema.columns.contains("default"))
      #expect(!Everything.schema.columns.contains("is_selected"))
    }

    @Test func compositeKeysFindTheirRows() throws {
      let store = try makeStore()
      let track = AlbumTrack(album: UUID(), position: 2, title: "Sinnerman")
      try store.write { transaction in
        try transaction.insert(contentsOf: [track])
        let key = AlbumTrack.ID(album: track.album, position: 2)
        #expect(track.id == key)
        #expect(try transaction.fetchOne(AlbumTrack.self, key: key) == track)
        #expect(try transaction.delete(AlbumTrack.self, key: key))
      }
      #expect(AlbumTrack.Relationships().notes.targetColumns == ["album", "position"])
    }
  }
#endif
