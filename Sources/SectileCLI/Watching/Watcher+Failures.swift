internal import Sectile
internal import SectileInspecting

extension Watcher {
  /// Adds to a first load's failure what can be done about it here.
  static func explained(_ failure: any Error) -> any Error {
    guard let error = failure as? StoreError, error.code == .decodingFailed, error.hint == nil
    else { return failure }
    return CommandFailure(
      .data, error.message,
      hint:
        "Keys and sections have to be UTF-8: group by hex(…) of it, or name another --key, as rowid."
    )
  }

  /// Whether a request makes no sense in the schema of now.
  static func isOfSchema(_ error: any Error) -> Bool {
    if error is RequestError { return true }
    // A query names tables and columns that only SQLite misses.
    let code = (error as? StoreError)?.code
    return code == .statementFailed || code == .invalidRequest
  }
}
