public import SectileCore

extension DataSourceError.Code {
  /// There is no file at the path.
  public static let fileMissing = DataSourceError.Code("fileMissing")
  /// The file may not be read, or reading it failed.
  public static let fileUnreadable = DataSourceError.Code("fileUnreadable")
  /// There is a directory, a pipe, a socket or a device at the path.
  public static let notARegularFile = DataSourceError.Code("notARegularFile")
  /// The file is larger than the options allow.
  public static let fileTooLarge = DataSourceError.Code("fileTooLarge")
  /// A line of the file is longer than the options allow.
  public static let lineTooLong = DataSourceError.Code("lineTooLong")
  /// The file is not UTF-8, and the options do not allow to repair it.
  public static let invalidText = DataSourceError.Code("invalidText")
  /// The file became shorter while it was read.
  public static let fileTruncated = DataSourceError.Code("fileTruncated")
}

extension DataSourceError {
  static func fileMissing(_ path: String) -> DataSourceError {
    DataSourceError(
      code: .fileMissing, message: "There is no file at “\(path)”.",
      hint: "Check the path; load again once the file is there.")
  }

  static func fileUnreadable(_ path: String, _ reason: String) -> DataSourceError {
    DataSourceError(
      code: .fileUnreadable, message: "The file “\(path)” cannot be read: \(reason).",
      hint: "Check who may read the file and the folders above it.")
  }

  static func notARegularFile(_ path: String, _ kind: String) -> DataSourceError {
    DataSourceError(
      code: .notARegularFile, message: "“\(path)” is \(kind), not a file.",
      hint: "Name a text file; for items that arrive over time use AsyncSequenceDataSource.")
  }

  static func fileTooLarge(_ path: String, limit: Int) -> DataSourceError {
    DataSourceError(
      code: .fileTooLarge, message: "The file “\(path)” is larger than \(limit) bytes.",
      hint: "Raise byteCountLimit in FileLinesOptions.")
  }

  static func lineTooLong(_ path: String, line: Int, limit: Int) -> DataSourceError {
    DataSourceError(
      code: .lineTooLong,
      message: "Line \(line) of “\(path)” is longer than \(limit) bytes.",
      hint: "Raise lineByteCountLimit in FileLinesOptions; or the file is no text file.")
  }

  static func invalidText(_ path: String, line: Int) -> DataSourceError {
    DataSourceError(
      code: .invalidText, message: "Line \(line) of “\(path)” is not UTF-8.",
      hint: "Convert the file, or let FileLinesOptions repair it.")
  }

  static func fileTruncated(_ path: String) -> DataSourceError {
    DataSourceError(
      code: .fileTruncated, message: "The file “\(path)” became shorter while it was read.",
      hint: "Load again once its writer is done.")
  }
}
