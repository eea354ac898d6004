internal import Foundation
internal import GRDBSQLite
internal import SectileCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where a copy of a database goes: a file beside the place first, and the place when all is well.
package struct BackupFile {
  let target: String
  private let sourcePath: String?

  /// Looks whether a backup may go to a path.
  ///
  /// - Parameters:
  ///   - path: Where it shall be.
  ///   - source: The path of what is copied; nil for a database in memory.
  ///   - replaces: Whether a file that is there is replaced.
  /// - Throws: ``StoreError`` with the code `backupRefused` where it may not, `cannotOpen` for a
  ///   path that no file can have.
  package init(at path: String, of source: String?, replaces: Bool) throws(StoreError) {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    try StorePath.check(resolved, isReadOnly: false)
    if let there = FileIdentity(path) {
      if let source, FileIdentity(source) == there {
        throw Self.refusal("\(path) is \(source) itself", "Name another file to write to.")
      }
      guard replaces else {
        throw Self.refusal("\(path) exists already", "Name another file, or allow to replace it.")
      }
    }
    for suffix in ["-wal", "-journal"] where FileIdentity(resolved + suffix)?.isEmpty == false {
      // SQLite would take it for the log of the new file.
      throw Self.refusal(
        "\(path) has a log beside it, \(path)\(suffix): it is in use, or was left by a crash",
        "Close what uses it. If nothing does, remove the log and the file.")
    }
    target = resolved
    sourcePath = source
  }

  /// Removes what backups that were killed have left in a folder.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - isOurs: Returns whether a name is one that a backup was to get.
  package static func clearUp(in folder: String, _ isOurs: (_ name: String) -> Bool) {
    let folder = URL(fileURLWithPath: folder, isDirectory: true).resolvingSymlinksInPath().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in Set(names.compactMap(BackupDraft.targetName(of:))) where isOurs(name) {
      BackupDraft.removeAbandoned(for: folder + "/" + name)
    }
  }

  /// Fills a draft, checks it and gives it its name; removes it where something goes wrong.
  ///
  /// - Parameters:
  ///   - pageSize: How many bytes a page has.
  ///   - fill: Writes to the connection, and returns how many pages the copy has.
  ///   - progress: Hears now and then that the copy is being checked.
  /// - Returns: What the copy holds.
  /// - Throws: ``StoreError``; what the closures throw.
  package func write(
    pageSize: Int, fill: (_ target: InspectionConnection) throws -> Int,
    progress: (Store.BackupProgress) throws -> Void
  ) throws -> Store.BackupReport {
    BackupDraft.removeAbandoned(for: target)
    let draft = try BackupDraft(for: target)
    defer { draft.remove() }
    let pages = try open(draft) { connection in
      if let mode = sourcePath.flatMap(FileIdentity.init)?.permissions,
        chmod(draft.path, mode) != 0
      {
        throw systemFailure("cannot get the permissions of the original")
      }
      return try fill(connection)
    }
    let state = Store.BackupProgress(
      phase: .checking, copiedPages: pages, totalPages: pages, pageSize: pageSize)
    try progress(state)
    let (reason, token) = try open(draft) { connection in
      (try check(connection) { try progress(state) }, try? Self.token(connection))
    }
    guard rename(draft.path, target) == 0 else { throw systemFailure("cannot get its name") }
    synchronizeFolder()
    return Store.BackupReport(
      pageCount: pages, pageSize: pageSize, uncheckedReason: reason, token: token)
  }

  /// Opens the draft, and closes it when the closure is done.
  private func open<Result>(
    _ draft: BackupDraft, _ body: (InspectionConnection) throws -> Result
  ) throws -> Result {
    let connection: InspectionConnection
    do {
      connection = try InspectionConnection(path: draft.path, access: .create)
    } catch {
      throw StorePath.diagnose(error, at: target, isReadOnly: false)
    }
    return try body(connection)
  }

  /// The end of the change log that the copy has; nil where it has none that is understood.
  private static func token(_ connection: InspectionConnection) throws -> ChangeToken? {
    guard try TableListing(of: LogTables.state, in: connection) != nil else { return nil }
    var token: ChangeToken?
    try connection.run(
      """
      SELECT store, epoch, seq, salt FROM main.\(LogTables.state)
        JOIN (SELECT seq, salt FROM main.\(LogTables.log) ORDER BY seq DESC LIMIT 1)
      WHERE format <= \(LogState.format)
      """
    ) { row in
      guard case .blob(let store) = row[0], store.count == 16, case .integer(let epoch) = row[1],
        case .integer(let sequence) = row[2], case .integer(let salt) = row[3]
      else { return }
      token = ChangeToken(
        place: LogPlace(
          store: LogState.identity(of: store), epoch: UInt64(bitPattern: epoch),
          sequence: UInt64(bitPattern: sequence), salt: UInt64(bitPattern: salt)))
    }
    return token
  }

  /// Looks for damage; returns why that could not be done.
  private func check(
    _ connection: InspectionConnection, progress: () throws -> Void
  ) throws -> String? {
    var found: [String] = []
    var stop: (any Error)?
    do {
      try withoutActuallyEscaping(progress) { progress in
        connection.setProgress {
          do {
            try progress()
            return true
          } catch {
            stop = error
            return false
          }
        }
        defer { connection.setProgress(nil) }
        // Rows that break a rule of their table are the original's matter.
        try connection.run("PRAGMA ignore_check_constraints = ON; PRAGMA quick_check") { row in
          if case .text(let line)? = row.first, line != "ok", !line.hasPrefix("NULL value in ") {
            found.append(line)
          }
        }
      }
    } catch let error as StoreError where stop == nil {
      switch error.code {
      case .statementFailed, .notAuthorized: return error.message
      case .corrupt, .notADatabase: found.append(error.message)
      default: throw error
      }
    } catch {
      throw stop ?? error
    }
    guard let first = found.first else { return nil }
    let rest = found.count > 1 ? ", and \(found.count - 1) more" : ""
    throw StoreError(
      .corrupt,
      message: "\(sourcePath ?? "The store") is damaged, so its copy is: \(first)\(rest)",
      hint: "Keep the file and earlier backups. sectile salvage saves what is readable.")
  }

  private func systemFailure(_ what: String) -> StoreError {
    StoreError(
      .ioError, message: "\(target) \(what): \(String(cString: strerror(errno)))",
      hint: "Check the folder's permissions and the system log.")
  }

  private func open(folder path: String) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, O_RDONLY | O_DIRECTORY)
    #elseif canImport(Musl)
      Musl.open(path, O_RDONLY | O_DIRECTORY)
    #else
      Darwin.open(path, O_RDONLY | O_DIRECTORY)
    #endif
  }

  /// Makes the new name last through a power cut, as far as the file system can.
  private func synchronizeFolder() {
    let path = (target as NSString).deletingLastPathComponent
    let folder = open(folder: path)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private static func refusal(_ message: String, _ hint: String) -> StoreError {
    StoreError(.backupRefused, message: message, hint: hint)
  }
}
