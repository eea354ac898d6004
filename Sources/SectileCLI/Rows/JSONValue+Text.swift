internal import Sectile
internal import SectileInspecting

extension JSONValue {
  /// Creates a number of milliseconds.
  init(milliseconds duration: Duration) { self = .real(duration / .milliseconds(1)) }

  /// The document in one line, with everything a terminal could act upon escaped.
  var text: String { String(decoding: bytes(.terminal), as: UTF8.self) }
}
