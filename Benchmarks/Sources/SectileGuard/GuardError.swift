/// A message for whoever runs the guard, with the code to exit with.
struct GuardError: Error, CustomStringConvertible {
  let description: String
  let code: Int32

  /// Makes an error; without a code, wrong data (`EX_DATAERR`).
  init(_ description: String, code: Int32 = 65) {
    self.description = description
    self.code = code
  }
}
