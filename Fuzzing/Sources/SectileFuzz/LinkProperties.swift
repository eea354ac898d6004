import SectileRemote

/// The value of a `Link` header field.
///
/// What is read is written, and read to the same. Nothing is read that was not there.
enum LinkProperties {
  static func check(_ input: FuzzInput) {
    let text = input.text
    let header = LinkHeader(["Link": text])
    for link in header.links {
      require(isPart(link.target, of: text), "a target that nobody wrote: \(link.target)")
      for parameter in link.parameters {
        require(!parameter.name.isEmpty, "a parameter without a name")
        require(
          parameter.value.utf8.count <= text.utf8.count, "a value larger than all that was given")
      }
    }
    for relation in Set(header.links.flatMap(\.relations)) {
      guard let target = header.target(relation: relation) else { continue }
      require(header.links.contains { $0.target == target }, "a target of no link")
    }
    let written = header.links.map { write($0, isControl: input.isControl) }.joined(separator: ", ")
    require(
      LinkHeader(["Link": written]) == header, "links change when they are written: \(written)")
  }

  private static func isPart(_ part: String, of text: String) -> Bool {
    if part.isEmpty { return true }
    let (part, text) = (Array(part.utf8), Array(text.utf8))
    guard part.count <= text.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
  }

  private static func write(_ link: LinkHeader.Link, isControl: Bool) -> String {
    var text = "<\(link.target)>"
    for parameter in link.parameters {
      var value: [UInt8] = []
      for byte in parameter.value.utf8 {
        let isSpecial = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        if isSpecial && !isControl { value.append(UInt8(ascii: "\\")) }
        value.append(byte)
      }
      text += "; \(parameter.name)=\"\(String(decoding: value, as: UTF8.self))\""
    }
    return text
  }
}
