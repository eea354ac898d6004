internal import ArgumentParser

/// An argument of the form `NAME=VALUE`.
struct NamedArgument: ExpressibleByArgument {
  /// What stands before the sign.
  let name: String
  /// What stands behind it.
  let value: String

  init?(argument: String) {
    guard let sign = argument.unicodeScalars.firstIndex(of: "="),
      sign != argument.startIndex
    else { return nil }
    name = String(argument[..<sign])
    value = String(argument.unicodeScalars[sign...].dropFirst())
  }
}
