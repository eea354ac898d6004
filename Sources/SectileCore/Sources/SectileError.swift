/// What every error of this library says: which kind it is, what happened, what to do next, and
/// what is beneath it.
///
/// Each part of the library has a type of its own, ``ChangesetError`` and others, with the codes it
/// may have. Handle those where the kind matters, and this protocol where an error is shown or
/// logged:
///
/// ```swift
/// } catch let error as any SectileError {
///   log("\(error.code): \(error.message)")
///   if let hint = error.hint { log(hint) }
/// }
/// ```
public protocol SectileError: Error, CustomStringConvertible {
  /// A kind of failure; more kinds may come, so it is compared with `==`.
  associatedtype Code: Hashable & Sendable & CustomStringConvertible

  /// What kind of failure it is; its text is the kind's name.
  var code: Code { get }
  /// What happened, in one line.
  var message: String { get }
  /// What to do next, if anything can be done.
  var hint: String? { get }
  /// The error beneath this one, where there is one.
  var cause: (any Error)? { get }
}

extension SectileError {
  /// Nothing: this error is the first.
  public var cause: (any Error)? { nil }
}
