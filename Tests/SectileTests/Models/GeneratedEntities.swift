#if Macros
  // Written by `sectile entities` from a schema. Where a comment counts values, the form
  // was guessed from them: from 10000 rows of a table at most, half of them its first, half
  // its last.

  import Foundation
  import Sectile

  /// A row of the table `customer`.
  @Entity
  struct Customer {
    // `initial` is left out: SQLite computes it, and nobody writes it.
    var id: Int64
    var name: String
    // 2 of 2 values are dates in UTC, such as 2026-01-31 23:59:59.
    var createdAt: Date
    // 1 of 1 values are seconds since 1970.
    @Attribute(.unixSeconds) var seenAt: Date?
    // 1 of 1 values are milliseconds since 1970.
    @Attribute(.unixMilliseconds) var visitedAt: Date?
    // 1 of 1 values are seconds since 1970 with fractions.
    @Attribute(.unixSecondsReal) var measuredAt: Date?
    // 2 of 2 values are 0 or 1.
    var isActive: Bool
    // Bool reads it as well: 2 of 2 values are 0 or 1.
    var stars: Int
    // 2 of 2 values are 0 or 1.
    var subscribed: Bool?
    // 2 of 2 values are decimal numbers in their shortest form.
    var balance: Decimal?
    var rate: Double?
    // 2 of 2 values are JSON arrays of texts.
    @Attribute(.json) var tags: [String]
    // 1 of 1 values are JSON arrays of integers.
    @Attribute(.json) var scores: [Int64]?
    // 1 of 1 values are JSON objects of texts.
    @Attribute(.json) var labels: [String: String]?
    // 1 of 1 values are JSON. A Codable type with @Attribute(.json) reads them.
    var extra: String?
    // 1 of 1 values are UUIDs in upper case.
    var token: UUID?
    // 1 of 1 values are UUIDs in lower case.
    @Attribute(.uuidLowercase) var device: UUID?
    // 1 of 1 values are UUIDs of 16 bytes.
    @Attribute(.uuidBlob) var digest: UUID?
    var photo: Data?
    // Values of several types: 1 integer, 1 text.
    var anything: MixedValue?
    // 1 of 1 values are dates in UTC, such as 2026-01-31T23:59:59Z.
    @Attribute(.iso8601) var updated: Date?
    // 1 of 1 values are dates in UTC, such as 2026-01-31T23:59:59.123Z.
    @Attribute(.iso8601Milliseconds) var modified: Date?
    var `class`: String?
    @Attribute("self") var selfColumn: String?
    @Attribute("2nd line") var column2ndLine: String?
    var websiteURL: String?

    struct Relationships: EntityRelationships {
      let purchasesByCustomer = ToMany<Purchase>("customer_id")
      let purchasesByPayer = ToMany<Purchase>("payer_id")
    }
  }

  // The view `customer_name` is left out: a Query reads views.

  /// A row of the table `date`.
  @Entity("date")
  struct DateRow {
    var id: Int64
    var day: String?
  }

  // The table `note` declares no primary key, so its rows have no identity: no struct.
  // Columns that tell its rows apart can become the key:
  // sectile transform FILE --table NAME --key COLUMN

  /// A row of the table `product`.
  @Entity
  struct Product {
    // 2 of 2 values are blobs of 16 bytes, read as UUIDs.
    @Attribute(.primaryKey, .uuidBlob) var sku: UUID
    @Attribute("Name") var name: String
    @Attribute(.uuidBlob) var parentSku: UUID?

    struct Relationships: EntityRelationships {
      let parent = ToOne<Product>("parent_sku")
      let productsByParent = ToMany<Product>("parent_sku")
      // Many to many: $0.productTopics.all(of: \.topic, by: \.topic.id)
      let productTopics = ToMany<ProductTopic>("product_sku")
      let purchaseLines = ToMany<PurchaseLine>("product")
    }
  }

  /// A row of the table `product_topic`.
  @Entity
  struct ProductTopic {
    @Attribute(.primaryKey, .uuidBlob) var productSku: UUID
    @Attribute(.primaryKey) var topicID: Int64

    struct Relationships: EntityRelationships {
      let product = ToOne<Product>("product_sku")
      let topic = ToOne<Topic>("topic_id")
    }
  }

  /// A row of the table `purchase`.
  @Entity
  struct Purchase {
    // `coupon` refers to `coupon`, which is not there.
    // 2 of 2 values are UUIDs in lower case.
    @Attribute(.uuidLowercase) var id: UUID
    var customerID: Int64
    var payerID: Int64?
    var coupon: String?
    // 1 of 1 values are dates in UTC, such as 2026-01-31 23:59:59.
    var placed: Date?

    struct Relationships: EntityRelationships {
      let customer = ToOne<Customer>("customer_id")
      let payer = ToOne<Customer>("payer_id")
      let purchaseLines = ToMany<PurchaseLine>("purchase_id")
    }
  }

  /// A row of the table `purchase_line`.
  @Entity
  struct PurchaseLine {
    @Attribute(.primaryKey, .uuidLowercase) var purchaseID: UUID
    @Attribute("id", .primaryKey) var idColumn: Int64
    @Attribute(.uuidBlob) var product: UUID
    var quantity: Int

    struct Relationships: EntityRelationships {
      let purchase = ToOne<Purchase>("purchase_id")
      let productRow = ToOne<Product>("product")
      let shipments = ToMany<Shipment>("purchase_id", "line_id")
    }
  }

  // The table `reading` has no struct: its key `at` holds 1 real number.
  // Keys of entities are integers, texts and UUIDs.

  /// A row of the table `say "hi"`.
  struct SayHi {
    // By hand: the macro reads names without escapes only.
    var id: Int64
    var backSlash: String
  }

  extension SayHi: Entity {
    static let schema = EntitySchema<SayHi>(
      "say \"hi\"", primaryKey: "id",
      attributes: .init("id", \.id),
      .init("back\\slash", \.backSlash))

    init(row: inout RowReader) throws {
      self.id = try row.next()
      self.backSlash = try row.next()
    }

    func write(to row: inout RowWriter) throws {
      try row.append(self.id)
      try row.append(self.backSlash)
    }
  }

  // The virtual table `search` is left out: it declares no primary key.

  /// A row of the table `shipment`.
  @Entity
  struct Shipment {
    // `topic_name` refers to other columns of `topic` than its primary key: no
    // relationship.
    // `carrier` refers to `carrier`, which is not there.
    @Attribute(.primaryKey) var number: Int64
    @Attribute(.uuidLowercase) var purchaseID: UUID
    var lineID: Int64
    var topicName: String?
    var carrier: Int?

    struct Relationships: EntityRelationships {
      let purchaseLine = ToOne<PurchaseLine>("purchase_id", "line_id")
    }
  }

  /// A row of the table `topic`.
  @Entity
  struct Topic {
    var id: Int64
    var name: String

    struct Relationships: EntityRelationships {
      // Many to many: $0.productTopics.all(of: \.product, by: \.product.sku)
      let productTopics = ToMany<ProductTopic>("topic_id")
    }
  }

  /// A value of any type, in a column that holds several.
  struct MixedValue: StorableValue {
    var storedValue: StoredValue

    init(_ value: StoredValue) {
      storedValue = value
    }

    init(stored column: StoredColumn) throws(ColumnValueError) {
      storedValue = try column.value()
    }
  }
#endif
