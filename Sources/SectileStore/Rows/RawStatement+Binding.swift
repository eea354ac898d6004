internal import GRDBSQLite
package import SectileCore

/// Tells SQLite to copy what is bound (`SQLITE_TRANSIENT`, which C spells as a cast of -1).
internal let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension RawStatement {
  /// Binds a value to the parameter with an index, counted from one.
  ///
  /// SQLite copies text and bytes.
  ///
  /// NaN is refused, because SQLite would store it as NULL.
  package func bind(_ value: StoredValue, at index: Int) throws(StoreError) {
    let position = CInt(index)
    let code: CInt
    switch value {
    case .null:
      code = sqlite3_bind_null(handle, position)
    case .integer(let number):
      code = sqlite3_bind_int64(handle, position, number)
    case .real(let number):
      guard !number.isNaN else {
        throw StoreError(
          .encodingFailed,
          message: "Parameter \(index) is NaN, which SQLite would store as NULL, in: \(sql)",
          hint: "Bind a number or NULL.")
      }
      code = sqlite3_bind_double(handle, position, number)
    case .text(var text):
      code = text.withUTF8 { bytes in bindText(bytes, at: position) }
    case .blob(let bytes):
      code = bytes.withUnsafeBytes { bytes in bindBlob(bytes, at: position) }
    }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Binds a value to the parameter with an index, counted from one.
  ///
  /// - Parameters:
  ///   - column: The value.
  ///   - index: The index.
  ///   - isCopied: Whether SQLite copies text and bytes. If not, they must stay where they are
  ///     until ``finish()``.
  /// - Throws: Where there is no such parameter.
  func bindColumn(
    _ column: RawColumn, at index: Int, isCopied: Bool = true
  ) throws(StoreError) {
    let position = CInt(index)
    let code =
      switch column {
      case .null: sqlite3_bind_null(handle, position)
      case .integer(let value): sqlite3_bind_int64(handle, position, value)
      case .real(let value): sqlite3_bind_double(handle, position, value)
      case .text(let bytes):
        bindText(bytes.bindMemory(to: UInt8.self), at: position, isCopied: isCopied)
      case .blob(let bytes): bindBlob(bytes, at: position, isCopied: isCopied)
      }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Binds values to the parameters from `first` on.
  package func bind(_ values: [StoredValue], from first: Int = 1) throws(StoreError) {
    var index = first
    for value in values {
      try bind(value, at: index)
      index += 1
    }
  }

  /// Binds a value to the parameter of a name.
  func bind(_ value: StoredValue, named name: String) throws(StoreError) {
    try bind(value, at: Int(sqlite3_bind_parameter_index(handle, name)))
  }

  /// Binds values to all parameters, and refuses any other number of them.
  package func bindAll(_ values: [StoredValue]) throws(StoreError) {
    guard values.count == parameterCount else {
      throw .valueCount(values.count, marks: parameterCount, sql: sql)
    }
    try bind(values)
  }

  func bindText(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: CInt, isCopied: Bool = true
  ) -> CInt {
    // An empty buffer may have no address, and a null pointer would bind NULL.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return sqlite3_bind_text64(handle, position, "", 0, nil, UInt8(SQLITE_UTF8))
    }
    return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
      sqlite3_bind_text64(
        handle, position, characters, UInt64(bytes.count), isCopied ? copied : nil,
        UInt8(SQLITE_UTF8))
    }
  }

  func bindBlob(
    _ bytes: UnsafeRawBufferPointer, at position: CInt, isCopied: Bool = true
  ) -> CInt {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return sqlite3_bind_zeroblob(handle, position, 0)
    }
    return sqlite3_bind_blob64(
      handle, position, start, UInt64(bytes.count), isCopied ? copied : nil)
  }
}
