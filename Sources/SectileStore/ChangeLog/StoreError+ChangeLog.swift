internal import GRDB

extension StoreError {
  /// The error of what needs a change log, where there is none.
  static func noChangeLog(file: String?) -> StoreError {
    StoreError(
      .noChangeLog, message: "\(file ?? "The store") has no change log",
      hint: "Switch it on with store.changeLog.enable(), or with `sectile log FILE enable`.")
  }
}

extension LogState {
  /// Refuses to change a log that cannot be read.
  ///
  /// - Throws: `changeLogNewer`; what reading throws.
  static func refuseNewer(in db: Database) throws {
    guard try isThere(in: db), try !isReadable(in: db) else { return }
    throw StoreError(
      .changeLogNewer,
      message: "The change log of this file was made by a newer version, or its state is damaged",
      hint: "Use the version that made it, or remove the log and switch it on again.")
  }
}
