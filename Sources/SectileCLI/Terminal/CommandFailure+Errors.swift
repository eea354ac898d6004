internal import ArgumentParser
internal import Sectile

extension CommandFailure {
  /// Creates the failure that an error of a command amounts to; nil for errors that the argument
  /// parser reports itself, a request for help among them.
  init?(_ error: any Error) {
    switch error {
    case let failure as CommandFailure:
      self = failure
    case let failed as StatementFailure:
      self = failed.failure
    case let error as StoreError:
      self.init(Self.code(of: error.code), error.message, hint: Self.hint(for: error))
    default:
      // Parsing fails with errors that only the parser can print; they have its own exit codes.
      return nil
    }
  }

  private static func code(of code: StoreError.Code) -> Code {
    switch code {
    case .cannotOpen: .noInput
    case .busy, .fileReplaced, .readOnly, .diskFull, .ioError, .outOfMemory: .inputOutput
    case .interrupted: .failed
    case .reentrantAccess, .transactionInactive, .transactionEnded, .storeClosed: .internal
    default: .data
    }
  }

  private static func hint(for error: StoreError) -> String? {
    error.code == .notAuthorized
      ? "Add --writable to allow statements that change the file." : error.hint
  }
}
