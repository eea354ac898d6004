#if Service
  internal import Foundation
  internal import SectileStore

  /// The folder of a ``BackupService``: what its copies are called, and which of them there are.
  struct BackupFolder: Sendable {
    private static let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, timeSeparator: .omitted)
    private static let suffix = ".sqlite"
    /// How many seconds ahead of the clock the name of a copy may be, whose second was taken.
    static let lead: TimeInterval = 60

    /// Its path.
    let path: String
    /// What the names of the copies begin with.
    let name: String

    // MARK: - Names

    /// Returns the path of the copy of a moment, to the second.
    func path(of date: Date) -> String { "\(path)/\(fileName(of: date))" }

    private func fileName(of date: Date) -> String {
      "\(name)-\(Self.style.format(date))\(Self.suffix)"
    }

    /// Returns when a copy was made; nil where the file is none of this service's.
    func date(of fileName: String) -> Date? {
      guard fileName.hasPrefix("\(name)-"), fileName.hasSuffix(Self.suffix) else { return nil }
      let text = fileName.dropFirst(name.count + 1).dropLast(Self.suffix.count)
      // Only what this service would call so itself: a reader of dates may accept more.
      guard let date = try? Self.style.parse(String(text)), self.fileName(of: date) == fileName
      else { return nil }
      return date
    }

    /// Returns the moment that the next copy is named after: the present second, or the one after
    /// the copies that have come within it.
    func freeDate(from now: Date) throws(StoreError) -> Date {
      let date = Date(
        timeIntervalSinceReferenceDate: now.timeIntervalSinceReferenceDate.rounded(.down))
      let limit = date.addingTimeInterval(Self.lead)
      let newest = try dates().filter { date <= $0 && $0 <= limit }.max()
      return newest?.addingTimeInterval(1) ?? date
    }

    // MARK: - Files

    /// Creates the folder where there is none, and removes what copies that were killed have left.
    func prepare() throws(StoreError) {
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true)
      } catch {
        throw failure("cannot be created", error)
      }
      BackupFile.clearUp(in: path) { date(of: $0) != nil }
    }

    /// Returns when the copies were made, in no order.
    func dates() throws(StoreError) -> [Date] {
      do {
        return try FileManager.default.contentsOfDirectory(atPath: path).compactMap(date(of:))
      } catch {
        throw failure("cannot be read", error)
      }
    }

    /// Removes a copy; a folder or a link of its name is left alone.
    func remove(_ date: Date) throws(StoreError) {
      do {
        let path = path(of: date)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else { return }
        try FileManager.default.removeItem(atPath: path)
      } catch let error as CocoaError where Self.isMissing(error) {
        // Another service of the folder was faster.
        return
      } catch {
        throw failure("has a copy that cannot be removed", error)
      }
    }

    private static func isMissing(_ error: CocoaError) -> Bool {
      [.fileNoSuchFile, .fileReadNoSuchFile].contains(error.code)
    }

    private func failure(_ what: String, _ error: any Error) -> StoreError {
      let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
      return StoreError(
        isFull ? .diskFull : .cannotOpen,
        message: "\(path): the folder of backups \(what): \(error.localizedDescription)",
        hint: isFull
          ? "Free space on the disk, or name a folder on another one."
          : "Check that the path is a folder, and that this user may write to it.",
        cause: error)
    }
  }
#endif
