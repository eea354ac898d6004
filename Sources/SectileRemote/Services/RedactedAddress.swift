/// What may be shown of an address, in messages and logs: scheme, host, port and path.
///
/// User name and password, the query and the fragment are left out, since they may hold secrets.
///
/// ```swift
/// RedactedAddress("https://me:word@host/songs?api_key=1").description   // "https://host/songs"
/// ```
struct RedactedAddress: CustomStringConvertible {
  /// The address without what may be secret.
  let description: String

  /// Creates what may be shown of an address.
  init(_ address: String) {
    // By scalars: a combining mark must not hide a delimiter.
    let scalars = address.unicodeScalars
    let end = scalars.firstIndex { $0 == "?" || $0 == "#" } ?? scalars.endIndex
    let shown = scalars[..<end]
    // An address without a scheme may begin with its host.
    var host = shown.startIndex
    var rest = shown[...]
    while let slash = rest.firstIndex(of: "/") {
      let next = shown.index(after: slash)
      if next < end, shown[next] == "/" {
        host = shown.index(after: next)
        break
      }
      rest = shown[next...]
    }
    let path = shown[host...].firstIndex { $0 == "/" || $0 == "\\" } ?? end
    let sign = shown[host..<path].lastIndex(of: "@")
    let begin = sign.map { shown.index(after: $0) } ?? host
    description = String(shown[..<host]) + String(shown[begin...])
  }
}
