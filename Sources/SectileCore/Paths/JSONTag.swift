/// What JSON has no word for: an object of one member, whose name says what its text is.
///
/// It is the one place for these names: changesets, contents, feeds and the command line all write
/// them.
///
/// | Value | JSON |
/// |---|---|
/// | an integer beyond ±(2^53 − 1), which readers that know doubles alone would round | `{"$integer":"9007199254740993"}` |
/// | a number that is not finite | `{"$real":"9e999"}`, `{"$real":"-9e999"}`, `{"$real":"nan"}` |
/// | a real stored value that readers of integers would take for another integer | `{"$real":"4.611686018427388e+18"}` |
/// | bytes | `{"$blob":"00ff"}`, in hexadecimal |
/// | text that is not UTF-8 | `{"$text":"ff"}`: its bytes in hexadecimal |
package enum JSONTag {
  /// The name for an integer.
  package static let integer = "$integer"
  /// The name for a number that is not finite, or that might be read as another one.
  package static let real = "$real"
  /// The name for bytes.
  package static let blob = "$blob"
  /// The name for text that is not UTF-8.
  package static let text = "$text"

  /// The format of changesets and contents; one more with each change that an older reader would
  /// misunderstand.
  ///
  /// In format 1, large integers were plain, and tags had no dollar sign.
  package static let format = 2
  /// The formats that are read.
  package static let readableFormats = 1...2

  /// The largest integer that every reader of JSON knows exactly.
  package static let exactLimit: UInt64 = (1 << 53) - 1

  /// Returns whether every reader of JSON knows an integer exactly.
  package static func isExact(_ integer: some BinaryInteger) -> Bool {
    integer.magnitude <= exactLimit
  }

  /// Returns whether a real stored value is written as a plain number.
  ///
  /// The digits of one are the fewest that tell it from other real numbers: where they are read as
  /// those of an integer of 64 bits, which happens to whole numbers, they are another value beyond
  /// ±(2^53 − 1).
  package static func isPlain(_ number: Double) -> Bool {
    number.isFinite && (number.magnitude <= Double(exactLimit) || number.magnitude >= 0x1p64)
  }

  /// Returns the text of a number that is not plain.
  package static func text(ofReal number: Double) -> String {
    if number.isFinite { return number.description }
    return number.isNaN ? "nan" : number < 0 ? "-9e999" : "9e999"
  }

  /// Returns the integer that a tag's text stands for; nil where it is none of 64 bits.
  package static func integer(_ text: String) -> Int64? {
    // `Int64` takes a plus sign, too, which nobody writes.
    text.utf8.first == UInt8(ascii: "+") ? nil : Int64(text)
  }
}
