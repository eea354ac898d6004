internal import CYAJL
internal import Sectile

/// Reads one JSON object or array into its values, by YAJL, which keeps the order of names and the
/// text of numbers.
///
/// ```swift
/// try JSONReader().members(of: #"{"id":1,"data":{"$blob":"00ff"}}"#)
/// // id: .value(.integer(1)), data: .value(.blob([0x00, 0xFF]))
/// ```
///
/// What is nested deeper, and no tag, comes as its JSON, to be read in the same way. A reader can
/// be used again and again, on one thread at a time.
final class JSONReader {
  /// A name of an object with its value.
  struct Member: Equatable {
    /// The name.
    let name: String
    /// The value.
    let value: JSONCell
  }

  /// Why a text cannot be read.
  struct Mistake: Error, Equatable {
    /// The reason, as in `not an object`.
    let reason: String
  }

  private let callbacks: UnsafeMutablePointer<yajl_callbacks>

  // MARK: - Mutable state, of the text that is read
  //
  // - `handle`: only while the parser runs.
  private var handle: yajl_handle?
  private var text = UnsafeRawBufferPointer(start: nil, count: 0)
  private var depth = 0
  private var isArray = false
  private var name = ""
  private var members: [Member] = []
  private var mistake: String?
  private var nested = Nested()

  /// What is known of a value that is itself an object or an array.
  private struct Nested {
    var start = 0
    var isArray = false
    var memberCount = 0
    /// The last name, and what it stands for where that is a string.
    var name = ""
    var string: String?
  }

  /// Creates a reader.
  init() {
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: Self.makeCallbacks())
  }

  deinit {
    callbacks.deallocate()
  }

  /// Returns the members of an object, in the order they are written in.
  ///
  /// - Parameter bytes: One object, with nothing but space around it.
  /// - Returns: The members.
  /// - Throws: ``Mistake`` for anything else.
  func members(of bytes: UnsafeRawBufferPointer) throws(Mistake) -> [Member] {
    guard JSONText.firstSign(of: bytes) == UInt8(ascii: "{") else {
      throw Mistake(reason: "not an object")
    }
    return try read(bytes)
  }

  /// Returns the members of an object; see ``members(of:)-(UnsafeRawBufferPointer)``.
  func members(of text: String) throws(Mistake) -> [Member] {
    try Self.withBytes(of: text, members)
  }

  /// Returns the elements of an array.
  ///
  /// - Parameter text: One array, with nothing but space around it.
  /// - Returns: The elements.
  /// - Throws: ``Mistake`` for anything else.
  func elements(of text: String) throws(Mistake) -> [JSONCell] {
    let members = try Self.withBytes(of: text) { bytes throws(Mistake) in
      guard JSONText.firstSign(of: bytes) == UInt8(ascii: "[") else {
        throw Mistake(reason: "not an array")
      }
      return try read(bytes)
    }
    return members.map(\.value)
  }

  private static func withBytes(
    of text: String, _ body: (UnsafeRawBufferPointer) throws(Mistake) -> [Member]
  ) throws(Mistake) -> [Member] {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(Mistake) in try body(UnsafeRawBufferPointer(bytes)) }
    }
    return try result.get()
  }

  private func read(_ bytes: UnsafeRawBufferPointer) throws(Mistake) -> [Member] {
    if JSONText.hasLoneSurrogate(bytes) {
      throw Mistake(reason: "a text holds half of a character (\\ud800 to \\udfff)")
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard let handle = yajl_alloc(callbacks, nil, context) else {
      throw Mistake(reason: "no memory")
    }
    self.handle = handle
    text = bytes
    depth = 0
    mistake = nil
    members = []
    defer {
      yajl_free(handle)
      self.handle = nil
      text = UnsafeRawBufferPointer(start: nil, count: 0)
      members = []
    }
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    var status = yajl_parse(handle, start, bytes.count)
    if status == yajl_status_ok { status = yajl_complete_parse(handle) }
    if let mistake { throw Mistake(reason: mistake) }
    guard status == yajl_status_ok else {
      throw Mistake(reason: "not JSON" + Self.detail(handle))
    }
    return members
  }

  /// What YAJL has to say about a mistake.
  private static func detail(_ handle: yajl_handle) -> String {
    guard let message = yajl_get_error(handle, 0, nil, 0) else { return "" }
    defer { yajl_free_error(handle, message) }
    let text = String(cString: message).split(separator: "\n").first.map(String.init) ?? ""
    return text.isEmpty ? "" : ": \(text)"
  }

  // MARK: - What the parser meets

  private func add(_ value: @autoclosure () -> JSONCell) -> Int32 {
    if depth == 1 {
      members.append(Member(name: name, value: value()))
    } else if depth == 2 {
      nested.string = nil
    }
    return 1
  }

  private func add(string bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    // Deeper down only the text as a whole counts.
    if depth > 2 || (depth == 2 && !nested.name.hasPrefix("$")) { return 1 }
    guard let string = string(bytes) else { return 0 }
    if depth == 1 {
      members.append(Member(name: name, value: .value(.text(string))))
    } else {
      nested.string = string
    }
    return 1
  }

  private func add(name bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    if depth > 2 { return 1 }
    guard let string = string(bytes) else { return 0 }
    if depth == 1 {
      name = string
    } else {
      nested.memberCount += 1
      nested.name = string
      nested.string = nil
    }
    return 1
  }

  private func begin(array: Bool) -> Int32 {
    depth += 1
    if depth == 1 { isArray = array }
    if depth == 2 {
      nested = Nested()
      nested.start = yajl_get_bytes_consumed(handle) - 1
      nested.isArray = array
    }
    if depth == 3 { nested.string = nil }
    return 1
  }

  private func end() -> Int32 {
    depth -= 1
    guard depth == 1 else { return 1 }
    if !nested.isArray, nested.memberCount == 1, let string = nested.string,
      let tagged = JSONCell(tag: nested.name, text: string)
    {
      return add(tagged)
    }
    let end = yajl_get_bytes_consumed(handle)
    let json = JSONText.withoutSpace(text[nested.start..<end])
    guard let string = String(validating: json, as: UTF8.self) else { return refuse() }
    return add(.json(string))
  }

  private func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let string = String(validating: bytes, as: UTF8.self)
    if string == nil { _ = refuse() }
    return string
  }

  private func refuse() -> Int32 {
    mistake = "not UTF-8"
    return 0
  }

  private static func reader(_ context: UnsafeMutableRawPointer?) -> JSONReader? {
    context.map { Unmanaged<JSONReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func makeCallbacks() -> yajl_callbacks {
    var callbacks = yajl_callbacks()
    callbacks.yajl_null = { JSONReader.reader($0)?.add(.value(.null)) ?? 0 }
    callbacks.yajl_boolean = { context, value in
      JSONReader.reader(context)?.add(.value(.integer(value == 0 ? 0 : 1))) ?? 0
    }
    callbacks.yajl_number = { context, start, count in
      let bytes = UnsafeRawBufferPointer(start: start, count: count)
      return JSONReader.reader(context)?
        .add(JSONCell(number: String(decoding: bytes, as: UTF8.self))) ?? 0
    }
    callbacks.yajl_string = { context, start, count in
      JSONReader.reader(context)?.add(string: UnsafeBufferPointer(start: start, count: count)) ?? 0
    }
    callbacks.yajl_map_key = { context, start, count in
      JSONReader.reader(context)?.add(name: UnsafeBufferPointer(start: start, count: count)) ?? 0
    }
    callbacks.yajl_start_map = { JSONReader.reader($0)?.begin(array: false) ?? 0 }
    callbacks.yajl_start_array = { JSONReader.reader($0)?.begin(array: true) ?? 0 }
    callbacks.yajl_end_map = { JSONReader.reader($0)?.end() ?? 0 }
    callbacks.yajl_end_array = { JSONReader.reader($0)?.end() ?? 0 }
    return callbacks
  }
}
