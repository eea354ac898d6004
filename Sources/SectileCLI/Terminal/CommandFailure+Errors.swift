internal import ArgumentParser
internal import Foundation
internal import Sectile
internal import SectileInspecting

extension CommandFailure {
  /// Creates the failure that an error of a command amounts to; nil for errors that the argument
  /// parser reports itself, a request for help among them, and for what ends a command quietly.
  init?(_ error: any Error) {
    switch error {
    case let failure as CommandFailure:
      self = failure
    case let failed as StatementFailure:
      self = failed.failure
    case let error as RequestError:
      self.init(of: error)
    case let error as StoreError:
      self.init(Self.code(of: error.code), Self.message(of: error), hint: Self.hint(for: error))
    case is ClosedPipe, is ExitCode:
      return nil
    default:
      // Parsing fails with errors that only the parser can print; they have its own exit codes. To
      // what it does not know it gives the code of a failure.
      guard SectileCommand.exitCode(for: error) == .failure else { return nil }
      self.init(
        .internal, "\(error)",
        hint: "This is a mistake in sectile itself: please report it, with the command.")
    }
  }

  /// Creates the failure that a request amounts to which makes no sense.
  init(of error: RequestError) {
    // What the library calls the request's key is an option here.
    let keyHint = error.table.map { table in
      "Name the columns that do with --key"
        + (table.rowIDName.map { "; --key \($0) holds until the file is vacuumed." } ?? ".")
        + (table.isQuery ? " " + table.columnList : "")
    }
    let code: Code =
      switch error.code {
      case .badSort, .badAggregate, .badLimit: .usage
      case .noSuchTable, .noSuchColumn, .noKey, .badExpression: .data
      }
    let hint =
      switch error.code {
      case .noKey: keyHint
      case .badSort: "Give each term by itself, in order: --sort 'size DESC' --sort name."
      default: error.hint
      }
    self.init(code, error.message, hint: hint)
  }

  /// Creates the failure of writing a copy of a database.
  ///
  /// The source exists and could be read, so what cannot be opened from then on is the copy.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - path: The path of the copy, as it was given.
  init(copying error: StoreError, to path: String) {
    // Copies are made by their full path; people know the file by what they have typed.
    let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    let message = folder.count > 1 ? error.message.replacing(folder, with: "") : error.message
    switch error.code {
    case .backupRefused:
      let exists = error.message.hasSuffix("exists already")
      self.init(
        exists ? .failed : .usage, message,
        hint: exists ? "Name another file, or replace it with --force." : error.hint)
    case .cannotOpen, .readOnly:
      self.init(.inputOutput, message, hint: error.hint.map(Self.plain))
    default:
      self = CommandFailure(error) ?? CommandFailure(.internal, "\(error)")
    }
  }

  private static func code(of code: StoreError.Code) -> Code {
    switch code {
    case .cannotOpen: .noInput
    case .busy, .fileReplaced, .fileLinked, .readOnly, .diskFull, .ioError, .outOfMemory:
      .inputOutput
    case .interrupted: .interrupted
    case .reentrantAccess, .transactionInactive, .transactionEnded, .storeClosed: .internal
    default: .data
    }
  }

  private static func message(of error: StoreError) -> String {
    switch error.code {
    case .notAuthorized:
      error.message.replacing(
        "a read-only connection refuses this statement",
        with: "the file is open for reading only, and this statement would write")
    default: error.message
    }
  }

  /// The next step for somebody at a prompt; the errors' own hints are for who writes a program.
  private static func hint(for error: StoreError) -> String? {
    switch error.code {
    case .notAuthorized: hint(forRefused: (error.cause as? StoreError.SQLiteFailure)?.sql ?? "")
    case .cannotOpen where error.isOfUnfinishedWrite:
      "Undo it with: sectile sqlite FILE --writable 'SELECT 1'. A copy needs its -journal beside it."
    case .busy: "Try again when the other process is done."
    case .readOnly: "Check that this user may write the file and its folder."
    case .outOfMemory: "Free memory, or ask for less at a time."
    default: error.hint.map(plain)
    }
  }

  private static func hint(forRefused sql: String) -> String {
    switch SQLPiece.essence(of: sql).first {
    case "ATTACH": "Add --writable; to read another file, name it with --attach NAME=FILE."
    case "PRAGMA":
      "Add --writable: settings are taken where a file may be changed."
    default: "Add --writable to allow statements that change the file."
    }
  }
}
