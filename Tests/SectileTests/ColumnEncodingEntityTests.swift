#if Macros
  import Foundation
  import Sectile
  import Testing

  /// An identity of its own type, in a column of another program.
  struct GuestID: RawRepresentable, Hashable, StorableValue, EntityKey {
    var rawValue: UUID
  }

  /// A guest at a night, in the columns of another program.
  @Entity("guest_night")
  struct GuestNight: Equatable {
    @Attribute(.primaryKey, .uuidBlob) var guest: GuestID
    @Attribute(.primaryKey) var night: Int
    @Attribute(.uuidLowercase) var room: UUID?
    @Attribute("paid_at", .iso8601Milliseconds) var paidAt: Date?
  }

  /// An amount of a type of its own, in a column that counts cents.
  struct Amount: RawRepresentable, Hashable, StorableValue {
    var rawValue: Decimal
  }

  /// An invoice, with one amount that sorts and adds up, and one that is text.
  @Entity
  struct Invoice: Equatable {
    var id: Int64
    @Attribute("cents", .decimal(scale: 2)) var total: Decimal
    @Attribute(.decimal(scale: 2)) var paid: Amount?
    var fee: Amount
  }

  @Suite(.timeLimit(.minutes(60))) struct ColumnEncodingEntityTests {
    @Test func theMacroDeclaresScales() throws {
      let store = try Store.inMemory()
      try store.write {
        try $0.execute(
          "CREATE TABLE invoice (id INTEGER PRIMARY KEY, cents INTEGER, paid INTEGER, fee TEXT)")
      }
      let (ten, half) = (Amount(rawValue: 10), Amount(rawValue: Decimal(1) / 2))
      let invoice = Invoice(id: 1, total: Decimal(1234) / 100, paid: half, fee: ten)
      try store.write { try $0.insert(invoice) }
      let wanted = FetchRequest<Invoice>().filter { $0.paid < ten && $0.fee == ten }
      let found = try store.read { try $0.fetchAll(wanted.sort(by: \.paid)) }
      #expect(found == [invoice])
      let row = try store.read { try $0.query("SELECT cents, paid, fee FROM invoice") }
      #expect(row.first?.values == [1234, 50, "10"])
      #expect(throws: StoreError.self) {
        try FetchRequest<Invoice>().sort(by: \.fee).makePlan()
      }
      try store.close()
    }

    @Test func theMacroDeclaresTheFormsOfColumns() throws {
      let store = try Store.inMemory()
      try store.write {
        try $0.execute(
          """
          CREATE TABLE guest_night (
            guest BLOB, night INTEGER, room TEXT, paid_at TEXT, PRIMARY KEY (guest, night))
          """)
      }
      let results = try store.results(of: FetchRequest<GuestNight>())
      try results.load()
      let guest = GuestID(rawValue: UUID())
      let night = GuestNight(
        guest: guest, night: 3, room: UUID(), paidAt: Date(timeIntervalSince1970: 1.5))
      let empty = GuestNight(guest: guest, night: 4, room: nil, paidAt: nil)
      try store.write { try $0.insert(contentsOf: [night, empty]) }

      #expect(try store.read { try $0.fetchOne(GuestNight.self, key: night.id) } == night)
      #expect(results.path(of: empty.id) == ItemPath(section: 0, item: 1))
      #expect(results.snapshot.id(at: ItemPath(section: 0, item: 0)) == night.id)
      let found = try store.read {
        try $0.fetchAll(FetchRequest<GuestNight>().filter { $0.guest == guest && $0.room == nil })
      }
      #expect(found == [empty])
      let row = try store.read { try $0.query("SELECT * FROM guest_night WHERE night = 3") }
      let room = try #require(night.room).uuidString.lowercased()
      #expect(row.first?["room"] == .text(room))
      #expect(row.first?["paid_at"] == "1970-01-01T00:00:01.500Z")
      try store.close()
    }
  }
#endif
