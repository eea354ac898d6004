// Written by `sectile entities` from a schema. Where a comment counts values, the form
// was guessed from them: from 10000 rows of a table at most, half of them its first, half
// its last.

import Foundation
import Sectile

/// A row of the table `customer`.
struct Customer {
  // `initial` is left out: SQLite computes it, and nobody writes it.
  var id: Int64
  var name: String
  // 2 of 2 values are dates in UTC, such as 2026-01-31 23:59:59.
  var createdAt: Date
  // 1 of 1 values are seconds since 1970.
  var seenAt: Date?
  // 1 of 1 values are milliseconds since 1970.
  var visitedAt: Date?
  // 1 of 1 values are seconds since 1970 with fractions.
  var measuredAt: Date?
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
  var tags: [String]
  // 1 of 1 values are JSON arrays of integers.
  var scores: [Int64]?
  // 1 of 1 values are JSON objects of texts.
  var labels: [String: String]?
  // 1 of 1 values are JSON. A Codable type with @Attribute(.json) reads them.
  var extra: String?
  // 1 of 1 values are UUIDs in upper case.
  var token: UUID?
  // 1 of 1 values are UUIDs in lower case.
  var device: UUID?
  // 1 of 1 values are UUIDs of 16 bytes.
  var digest: UUID?
  var photo: Data?
  // Values of several types: 1 integer, 1 text.
  var anything: MixedValue?
  // 1 of 1 values are dates in UTC, such as 2026-01-31T23:59:59Z.
  var updated: Date?
  // 1 of 1 values are dates in UTC, such as 2026-01-31T23:59:59.123Z.
  var modified: Date?
  var `class`: String?
  var selfColumn: String?
  var column2ndLine: String?
  var websiteURL: String?

  struct Relationships: EntityRelationships {
    let purchasesByCustomer = ToMany<Purchase>("customer_id")
    let purchasesByPayer = ToMany<Purchase>("payer_id")
  }
}

extension Customer: Entity {
  static let schema = EntitySchema<Customer>(
    "customer", primaryKey: "id",
    attributes: .init("id", \.id),
    .init("name", \.name),
    .init("created_at", \.createdAt),
    .init("seen_at", \.seenAt, as: .unixSeconds),
    .init("visited_at", \.visitedAt, as: .unixMilliseconds),
    .init("measured_at", \.measuredAt, as: .unixSecondsReal),
    .init("is_active", \.isActive),
    .init("stars", \.stars),
    .init("subscribed", \.subscribed),
    .init("balance", \.balance),
    .init("rate", \.rate),
    .init("tags", json: \.tags),
    .init("scores", json: \.scores),
    .init("labels", json: \.labels),
    .init("extra", \.extra),
    .init("token", \.token),
    .init("device", \.device, as: .uuidLowercase),
    .init("digest", \.digest, as: .uuidBlob),
    .init("photo", \.photo),
    .init("anything", \.anything),
    .init("updated", \.updated, as: .iso8601),
    .init("modified", \.modified, as: .iso8601Milliseconds),
    .init("class", \.`class`),
    .init("self", \.selfColumn),
    .init("2nd line", \.column2ndLine),
    .init("website_url", \.websiteURL))

  init(row: inout RowReader) throws {
    self.id = try row.next()
    self.name = try row.next()
    self.createdAt = try row.next()
    self.seenAt = try row.next()
    self.visitedAt = try row.next()
    self.measuredAt = try row.next()
    self.isActive = try row.next()
    self.stars = try row.next()
    self.subscribed = try row.next()
    self.balance = try row.next()
    self.rate = try row.next()
    self.tags = try row.nextJSON()
    self.scores = try row.nextJSON()
    self.labels = try row.nextJSON()
    self.extra = try row.next()
    self.token = try row.next()
    self.device = try row.next()
    self.digest = try row.next()
    self.photo = try row.next()
    self.anything = try row.next()
    self.updated = try row.next()
    self.modified = try row.next()
    self.`class` = try row.next()
    self.selfColumn = try row.next()
    self.column2ndLine = try row.next()
    self.websiteURL = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.id)
    try row.append(self.name)
    try row.append(self.createdAt)
    try row.append(self.seenAt)
    try row.append(self.visitedAt)
    try row.append(self.measuredAt)
    try row.append(self.isActive)
    try row.append(self.stars)
    try row.append(self.subscribed)
    try row.append(self.balance)
    try row.append(self.rate)
    try row.appendJSON(self.tags)
    try row.appendJSON(self.scores)
    try row.appendJSON(self.labels)
    try row.append(self.extra)
    try row.append(self.token)
    try row.append(self.device)
    try row.append(self.digest)
    try row.append(self.photo)
    try row.append(self.anything)
    try row.append(self.updated)
    try row.append(self.modified)
    try row.append(self.`class`)
    try row.append(self.selfColumn)
    try row.append(self.column2ndLine)
    try row.append(self.websiteURL)
  }
}

// The view `customer_name` is left out: a Query reads views.

/// A row of the table `date`.
struct DateRow {
  var id: Int64
  var day: String?
}

extension DateRow: Entity {
  static let schema = EntitySchema<DateRow>(
    "date", primaryKey: "id",
    attributes: .init("id", \.id),
    .init("day", \.day))

  init(row: inout RowReader) throws {
    self.id = try row.next()
    self.day = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.id)
    try row.append(self.day)
  }
}

// The table `note` declares no primary key, so its rows have no identity: no struct.
// Columns that tell its rows apart can become the key:
// sectile transform FILE --table NAME --key COLUMN

/// A row of the table `product`.
struct Product {
  // 2 of 2 values are blobs of 16 bytes, read as UUIDs.
  var sku: UUID
  var name: String
  var parentSku: UUID?

  var id: UUID { sku }

  struct Relationships: EntityRelationships {
    let parent = ToOne<Product>("parent_sku")
    let productsByParent = ToMany<Product>("parent_sku")
    // Many to many: $0.productTopics.all(of: \.topic, by: \.topic.id)
    let productTopics = ToMany<ProductTopic>("product_sku")
    let purchaseLines = ToMany<PurchaseLine>("product")
  }
}

extension Product: Entity {
  static let schema = EntitySchema<Product>(
    "product", primaryKey: "sku",
    attributes: .init("sku", \.sku, as: .uuidBlob),
    .init("Name", \.name),
    .init("parent_sku", \.parentSku, as: .uuidBlob))

  init(row: inout RowReader) throws {
    self.sku = try row.next()
    self.name = try row.next()
    self.parentSku = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.sku)
    try row.append(self.name)
    try row.append(self.parentSku)
  }
}

/// A row of the table `product_topic`.
struct ProductTopic {
  var productSku: UUID
  var topicID: Int64

  var id: ID { ID(productSku: productSku, topicID: topicID) }

  struct ID: EntityKey {
    var productSku: UUID
    var topicID: Int64

    init(productSku: UUID, topicID: Int64) {
      self.productSku = productSku
      self.topicID = topicID
    }

    init(keyValues: [StoredValue]) throws {
      var key = KeyReader(keyValues)
      self.productSku = try key.next()
      self.topicID = try key.next()
    }

    var keyValues: [StoredValue] { productSku.keyValues + topicID.keyValues }
  }

  struct Relationships: EntityRelationships {
    let product = ToOne<Product>("product_sku")
    let topic = ToOne<Topic>("topic_id")
  }
}

extension ProductTopic: Entity {
  static let schema = EntitySchema<ProductTopic>(
    "product_topic", primaryKey: "product_sku", "topic_id",
    attributes: .init("product_sku", \.productSku, as: .uuidBlob),
    .init("topic_id", \.topicID))

  init(row: inout RowReader) throws {
    self.productSku = try row.next()
    self.topicID = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.productSku)
    try row.append(self.topicID)
  }
}

/// A row of the table `purchase`.
struct Purchase {
  // `coupon` refers to `coupon`, which is not there.
  // 2 of 2 values are UUIDs in lower case.
  var id: UUID
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

extension Purchase: Entity {
  static let schema = EntitySchema<Purchase>(
    "purchase", primaryKey: "id",
    attributes: .init("id", \.id, as: .uuidLowercase),
    .init("customer_id", \.customerID),
    .init("payer_id", \.payerID),
    .init("coupon", \.coupon),
    .init("placed", \.placed))

  init(row: inout RowReader) throws {
    self.id = try row.next()
    self.customerID = try row.next()
    self.payerID = try row.next()
    self.coupon = try row.next()
    self.placed = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.id)
    try row.append(self.customerID)
    try row.append(self.payerID)
    try row.append(self.coupon)
    try row.append(self.placed)
  }
}

/// A row of the table `purchase_line`.
struct PurchaseLine {
  var purchaseID: UUID
  var idColumn: Int64
  var product: UUID
  var quantity: Int

  var id: ID { ID(purchaseID: purchaseID, idColumn: idColumn) }

  struct ID: EntityKey {
    var purchaseID: UUID
    var idColumn: Int64

    init(purchaseID: UUID, idColumn: Int64) {
      self.purchaseID = purchaseID
      self.idColumn = idColumn
    }

    init(keyValues: [StoredValue]) throws {
      var key = KeyReader(keyValues)
      self.purchaseID = try key.next()
      self.idColumn = try key.next()
    }

    var keyValues: [StoredValue] { purchaseID.keyValues + idColumn.keyValues }
  }

  struct Relationships: EntityRelationships {
    let purchase = ToOne<Purchase>("purchase_id")
    let productRow = ToOne<Product>("product")
    let shipments = ToMany<Shipment>("purchase_id", "line_id")
  }
}

extension PurchaseLine: Entity {
  static let schema = EntitySchema<PurchaseLine>(
    "purchase_line", primaryKey: "purchase_id", "id",
    attributes: .init("purchase_id", \.purchaseID, as: .uuidLowercase),
    .init("id", \.idColumn),
    .init("product", \.product, as: .uuidBlob),
    .init("quantity", \.quantity))

  init(row: inout RowReader) throws {
    self.purchaseID = try row.next()
    self.idColumn = try row.next()
    self.product = try row.next()
    self.quantity = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.purchaseID)
    try row.append(self.idColumn)
    try row.append(self.product)
    try row.append(self.quantity)
  }
}

// The table `reading` has no struct: its key `at` holds 1 real number.
// Keys of entities are integers, texts and UUIDs.

/// A row of the table `say "hi"`.
struct SayHi {
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
struct Shipment {
  // `topic_name` refers to other columns of `topic` than its primary key: no
  // relationship.
  // `carrier` refers to `carrier`, which is not there.
  var number: Int64
  var purchaseID: UUID
  var lineID: Int64
  var topicName: String?
  var carrier: Int?

  var id: Int64 { number }

  struct Relationships: EntityRelationships {
    let purchaseLine = ToOne<PurchaseLine>("purchase_id", "line_id")
  }
}

extension Shipment: Entity {
  static let schema = EntitySchema<Shipment>(
    "shipment", primaryKey: "number",
    attributes: .init("number", \.number),
    .init("purchase_id", \.purchaseID, as: .uuidLowercase),
    .init("line_id", \.lineID),
    .init("topic_name", \.topicName),
    .init("carrier", \.carrier))

  init(row: inout RowReader) throws {
    self.number = try row.next()
    self.purchaseID = try row.next()
    self.lineID = try row.next()
    self.topicName = try row.next()
    self.carrier = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.number)
    try row.append(self.purchaseID)
    try row.append(self.lineID)
    try row.append(self.topicName)
    try row.append(self.carrier)
  }
}

/// A row of the table `topic`.
struct Topic {
  var id: Int64
  var name: String

  struct Relationships: EntityRelationships {
    // Many to many: $0.productTopics.all(of: \.product, by: \.product.sku)
    let productTopics = ToMany<ProductTopic>("topic_id")
  }
}

extension Topic: Entity {
  static let schema = EntitySchema<Topic>(
    "topic", primaryKey: "id",
    attributes: .init("id", \.id),
    .init("name", \.name))

  init(row: inout RowReader) throws {
    self.id = try row.next()
    self.name = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.id)
    try row.append(self.name)
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
