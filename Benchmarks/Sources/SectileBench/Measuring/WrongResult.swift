/// A result that is not what it must be.
///
/// A figure of wrong work counts for nothing.
struct WrongResult: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func verify(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw WrongResult(message()) }
}
