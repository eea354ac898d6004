internal import Sectile

/// What a column's values, its declared type and its name say about the property.
struct FormGuess {
  /// The form; nil for a key that no entity can have.
  private(set) var form: ColumnForm?
  /// What the form was guessed from, or what is odd about the column.
  private(set) var note: String?

  private let sample: ColumnSample
  private let declaredType: String
  private let affinity: ColumnAffinity
  private let words: [String]
  private let isOfCoreData: Bool

  /// Guesses the form of a column.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - sample: Its values that were looked at.
  ///   - isOfCoreData: Whether Core Data made the file.
  init(of column: TableSchema.Column, _ sample: ColumnSample, isOfCoreData: Bool) {
    self.sample = sample
    self.isOfCoreData = isOfCoreData
    declaredType = column.declaredType.uppercased()
    affinity = Self.affinity(of: column)
    words = SwiftName.words(of: column.name)
    if column.keyPosition > 0 {
      guessKey()
    } else if sample.values == 0 {
      guessByDeclaration()
    } else {
      guessByValues()
    }
  }

  /// What a column makes of values, as far as its declared type says.
  static func affinity(of column: TableSchema.Column) -> ColumnAffinity {
    // In a STRICT table it keeps every value; elsewhere nobody writes it.
    if column.declaredType.uppercased() == "ANY" { return .none }
    return ColumnAffinity(declaredType: column.declaredType)
  }

  /// Returns how many values have a form: all of them.
  static func count(_ sample: ColumnSample, _ what: String) -> String {
    let count = grouped(sample.values)
    return "\(count) of \(count) values are \(what)."
  }

  // MARK: - Keys

  private mutating func guessKey() {
    if sample.values == 0 {
      guessKeyByDeclaration()
    } else if holds(.int64) {
      form = .int64
    } else if holds(.uuid) {
      set(.uuid, "UUIDs in upper case")
    } else if holds(.uuidLowercase) {
      set(.uuidLowercase, "UUIDs in lower case")
    } else if holds(.string) {
      form = .string
    } else if holds(.uuidBlob) {
      set(.uuidBlob, "blobs of 16 bytes, read as UUIDs")
    } else {
      note = "holds \(kinds)"
    }
    if form != nil, sample.nulls > 0 {
      note = "Rows without a key cannot be read: \(Self.grouped(sample.nulls)) are NULL."
    }
  }

  private mutating func guessKeyByDeclaration() {
    if isDeclaredUUID {
      form = affinity == .blob ? .uuidBlob : .uuid
      note = "No values show the form of the UUIDs."
      return
    }
    switch affinity {
    case .integer, .numeric: form = .int64
    case .text, .none: form = .string
    case .blob:
      form = .uuidBlob
      note = "There are no values; a key of blobs has to be a UUID."
    case .real: note = "holds real numbers"
    }
  }

  // MARK: - Other columns

  private mutating func guessByDeclaration() {
    if isDeclared("BOOL") {
      form = .bool
    } else if isDeclared("DATETIME", "TIMESTAMP") {
      form = isOfCoreData ? .referenceDate : .date
      if !isOfCoreData { note = "No values show the form of the dates." }
    } else if isDeclaredUUID {
      form = affinity == .blob ? .uuidBlob : .uuid
      note = "No values show the form of the UUIDs."
    } else if isDeclared("DATE", "TIME", "JSON") {
      form = .string
    } else {
      switch affinity {
      case .integer: form = .int
      case .text: form = .string
      case .real, .numeric: form = .double
      case .blob: form = .data
      case .none: form = .mixed
      }
    }
  }

  private mutating func guessByValues() {
    if sample.integers + sample.reals == sample.values {
      guessNumbers()
    } else if holds(.string) {
      guessTexts()
    } else if holds(.data) {
      if sample.blobUUIDs == sample.values {
        set(.uuidBlob, "UUIDs of 16 bytes")
      } else {
        form = .data
      }
    } else if sample.invalidTexts > 0 {
      form = sample.invalidTexts + sample.texts == sample.values ? .string : .mixed
      note =
        "\(Self.grouped(sample.invalidTexts)) of \(Self.grouped(sample.values)) values are texts "
        + "that are not UTF-8, which no property reads."
    } else {
      form = .mixed
      note = "Values of several types: \(kinds)."
    }
  }

  private mutating func guessNumbers() {
    if isOfCoreData, isDeclared("TIMESTAMP") {
      set(.referenceDate, "Core Data's seconds since 2001")
    } else if !holds(.int) {
      if isTime, sample.recentSeconds == sample.values {
        set(ColumnForm("Date", "unixSecondsReal"), "seconds since 1970 with fractions")
      } else {
        form = .double
      }
    } else if sample.truthValues == sample.values {
      if isDeclared("BOOL") || isTruth {
        set(.bool, "0 or 1")
      } else {
        form = .int
        note = "Bool reads it as well: \(Self.count(sample, "0 or 1"))"
      }
    } else if isTime, sample.recentSeconds == sample.values {
      set(ColumnForm("Date", "unixSeconds"), "seconds since 1970")
    } else if isTime, sample.recentMilliseconds == sample.values {
      set(ColumnForm("Date", "unixMilliseconds"), "milliseconds since 1970")
    } else if isDeclared("DEC", "NUMERIC", "MONEY", "REAL", "FLOA", "DOUB") {
      form = .double
    } else {
      form = .int
    }
  }

  private mutating func guessTexts() {
    if holds(.date) {
      set(.date, "dates in UTC, such as 2026-01-31 23:59:59")
    } else if holds(ColumnForm("Date", "iso8601")) {
      set(ColumnForm("Date", "iso8601"), "dates in UTC, such as 2026-01-31T23:59:59Z")
    } else if holds(ColumnForm("Date", "iso8601Milliseconds")) {
      set(
        ColumnForm("Date", "iso8601Milliseconds"),
        "dates in UTC, such as 2026-01-31T23:59:59.123Z")
    } else if holds(.uuid) {
      set(.uuid, "UUIDs in upper case")
    } else if holds(.uuidLowercase) {
      set(.uuidLowercase, "UUIDs in lower case")
    } else if holds(.decimal), sample.fractions > 0, !words.contains("version") {
      set(.decimal, "decimal numbers in their shortest form")
    } else if sample.jsonTexts == sample.values, sample.filledJSONTexts > 0 {
      guessJSON()
    } else {
      form = .string
      if affinity == .integer || affinity == .real {
        note = "Declared as a number, but \(Self.count(sample, "texts"))"
      }
    }
  }

  private mutating func guessJSON() {
    if sample.stringArrays == sample.values {
      set(ColumnForm("[String]", "json"), "JSON arrays of texts")
    } else if sample.integerArrays == sample.values {
      set(ColumnForm("[Int64]", "json"), "JSON arrays of integers")
    } else if sample.stringObjects == sample.values {
      set(ColumnForm("[String: String]", "json"), "JSON objects of texts")
    } else {
      form = .string
      note =
        "\(Self.count(sample, "JSON")) A Codable type with @Attribute(.json) reads them."
    }
  }

  // MARK: - Evidence

  private mutating func set(_ form: ColumnForm, _ what: String) {
    self.form = form
    note = Self.count(sample, what)
  }

  private func holds(_ form: ColumnForm) -> Bool { form.holds(sample) }

  private func isDeclared(_ parts: String...) -> Bool {
    parts.contains { declaredType.contains($0) }
  }

  private var isDeclaredUUID: Bool { isDeclared("UUID", "GUID", "UNIQUEIDENTIFIER") }

  /// Whether name or type speak of a time: any large integer could be one.
  private var isTime: Bool {
    isDeclared("DATE", "TIME") || words.last == "at" || !Self.timeWords.isDisjoint(with: words)
  }

  /// Whether the name speaks of yes and no: any count could be 0 or 1.
  private var isTruth: Bool {
    guard let first = words.first, let last = words.last else { return false }
    return Self.truthBeginnings.contains(first) || Self.truthEnds.contains(last)
  }

  private var kinds: String {
    let parts = [
      (sample.integers, "integer"), (sample.reals, "real number"), (sample.texts, "text"),
      (sample.blobs, "blob"), (sample.invalidTexts, "text that is not UTF-8"),
    ]
    let names = parts.filter { $0.0 > 0 }.map { count, noun in
      let noun = count == 1 ? noun : noun.hasPrefix("text ") ? "texts not in UTF-8" : noun + "s"
      return "\(Self.grouped(count)) \(noun)"
    }
    return names.joined(separator: ", ")
  }

  /// Returns a number with a comma between groups of digits.
  private static func grouped(_ number: Int) -> String {
    var result = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return String(result.reversed())
  }

  private static let timeWords: Set<String> = [
    "birthday", "born", "created", "date", "datetime", "deadline", "deleted", "due", "ended",
    "epoch", "expires", "expiry", "modified", "mtime", "seen", "since", "started", "time",
    "timestamp", "ts", "until", "updated",
  ]
  private static let truthBeginnings: Set<String> = [
    "allows", "are", "can", "did", "has", "is", "needs", "should", "was", "will",
  ]
  private static let truthEnds: Set<String> = [
    "active", "archived", "deleted", "done", "enabled", "favorite", "favourite", "flag", "hidden",
    "locked", "pinned", "published", "starred", "verified", "visible",
  ]
}
