// Written by `sectile entities` from a schema. Where a comment counts values, the form
// was guessed from them: from 10000 rows of a table at most, half of them its first, half
// its last.

import Sectile

/// A row of the table `author`.
struct Author: Codable {
  var id: Int64
  var name: String

  struct Relationships: EntityRelationships {
    let books = ToMany<Book>("author_id")
  }
}

extension Author: Entity {
  static let schema = EntitySchema<Author>(
    "author", primaryKey: "id",
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

/// A row of the table `book`.
struct Book: Codable {
  var id: Int64
  var title: String
  var authorID: Int64
  var pages: Int
  // Values of several types: 1 integer, 1 text.
  var shelf: MixedValue?

  struct Relationships: EntityRelationships {
    let author = ToOne<Author>("author_id")
    let bookTags = ToMany<BookTag>("book_id")
  }
}

extension Book: Entity {
  static let schema = EntitySchema<Book>(
    "book", primaryKey: "id",
    attributes: .init("id", \.id),
    .init("title", \.title),
    .init("author_id", \.authorID),
    .init("pages", \.pages),
    .init("shelf", \.shelf))

  init(row: inout RowReader) throws {
    self.id = try row.next()
    self.title = try row.next()
    self.authorID = try row.next()
    self.pages = try row.next()
    self.shelf = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.id)
    try row.append(self.title)
    try row.append(self.authorID)
    try row.append(self.pages)
    try row.append(self.shelf)
  }
}

/// A row of the table `book_tag`.
struct BookTag: Codable {
  var bookID: Int64
  var tag: String

  var id: ID { ID(bookID: bookID, tag: tag) }

  struct ID: EntityKey, Codable {
    var bookID: Int64
    var tag: String

    init(bookID: Int64, tag: String) {
      self.bookID = bookID
      self.tag = tag
    }

    init(keyValues: [StoredValue]) throws {
      var key = KeyReader(keyValues)
      self.bookID = try key.next()
      self.tag = try key.next()
    }

    var keyValues: [StoredValue] { bookID.keyValues + tag.keyValues }
  }

  struct Relationships: EntityRelationships {
    let book = ToOne<Book>("book_id")
  }
}

extension BookTag: Entity {
  static let schema = EntitySchema<BookTag>(
    "book_tag", primaryKey: "book_id", "tag",
    attributes: .init("book_id", \.bookID),
    .init("tag", \.tag))

  init(row: inout RowReader) throws {
    self.bookID = try row.next()
    self.tag = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(self.bookID)
    try row.append(self.tag)
  }
}

/// A value of any type, in a column that holds several.
struct MixedValue: StorableValue, Codable {
  var storedValue: StoredValue

  init(_ value: StoredValue) {
    storedValue = value
  }

  init(stored column: StoredColumn) throws(ColumnValueError) {
    storedValue = try column.value()
  }

  init(from decoder: any Swift.Decoder) throws {
    storedValue = try StoredValue(from: decoder)
  }

  func encode(to encoder: any Swift.Encoder) throws {
    try storedValue.encode(to: encoder)
  }
}
