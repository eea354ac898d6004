internal import Foundation
internal import GRDB
internal import SectileCore

/// What can be said about a database's path without opening the file.
///
/// The file itself is SQLite's alone: opening and closing it in any other way would drop the locks
/// that this process holds on it.
enum StorePath {
  /// Refuses paths that lead to no database, before SQLite creates anything.
  static func check(_ path: String, isReadOnly: Bool) throws(StoreError) {
    guard !path.isEmpty else {
      throw StoreError(
        .cannotOpen, message: "The path of the database is empty",
        hint: "Give a file path, or use Store.inMemory.")
    }
    guard path != ":memory:" else {
      throw StoreError(
        .cannotOpen, message: ":memory: is not a file path", hint: "Use Store.inMemory.")
    }
    guard !path.utf8.contains(0) else {
      throw StoreError(
        .cannotOpen, message: "The path of the database contains a NUL character",
        hint: "Give a path without it.")
    }
    var isFolder = false
    if exists(path, isFolder: &isFolder) {
      guard !isFolder else {
        throw StoreError(
          .cannotOpen, message: "\(path) is a directory", hint: "Name a file in it.")
      }
      if let problem = problemOfKind(path) { throw problem }
    } else if isReadOnly {
      throw StoreError(
        .cannotOpen, message: "\(path): there is no such file",
        hint: "Check the path; what is only read is never created.")
    }
    let folder = parent(of: path)
    guard exists(folder, isFolder: &isFolder) else {
      throw StoreError(
        .cannotOpen, message: "\(path): the folder \(folder) does not exist",
        hint: "Create the folder first; the store creates only the file.")
    }
    guard isFolder else {
      throw StoreError(
        .cannotOpen, message: "\(path): \(folder) is a file, not a folder",
        hint: "Check the path.")
    }
  }

  /// Returns why something that exists is no file at all: a device, a named pipe, a socket.
  static func problemOfKind(_ path: String) -> StoreError? {
    guard let file = FileIdentity(path), !file.isRegular else { return nil }
    return StoreError(
      .cannotOpen, message: "\(path) is no regular file",
      hint: "A database is a file on a disk; copy it there first.")
  }

  /// Returns the path as SQLite has to get it: never taken for a URI.
  static func sqlitePath(_ path: String) -> String {
    path.hasPrefix("file:") ? "./\(path)" : path
  }

  /// Returns a path as SQLite takes it for nothing but a path: with a folder before it.
  static func plainName(of path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

  /// Returns the URI that opens a file for reading only, maybe as one that nobody changes.
  static func uri(of path: String, isImmutable: Bool) -> String {
    // The two slashes keep a path that begins with two of its own from naming a host.
    var uri = path.hasPrefix("/") ? "file://" : "file:"
    for byte in plainName(of: path).utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri += "%" + StoredValue.hexadecimal([byte])
      }
    }
    return uri + "?mode=ro" + (isImmutable ? "&immutable=1" : "")
  }

  /// Returns the name of a database in memory, with what has a meaning in a URI escaped.
  static func memoryName(_ name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
  }

  /// Returns the error of a failed opening, with the reason where the file system shows it.
  static func diagnose(_ error: any Error, at path: String, isReadOnly: Bool) -> StoreError {
    let error = StoreError.wrapping(error, file: path)
    switch error.code {
    case .cannotOpen, .readOnly, .ioError:
      break
    case .statementFailed where error.message.contains("could not activate WAL Mode"):
      return StoreError(
        .cannotOpen, message: "\(path): the write-ahead log cannot be used here",
        hint: "WAL needs shared memory, which network file systems lack: use a local disk.",
        cause: error.cause)
    default:
      return error
    }
    let folder = parent(of: path)
    let manager = FileManager.default
    if isReadOnly, let failure = error.cause as? StoreError.SQLiteFailure,
      let error = StoreError.unusableLog(failure, of: path)
    {
      return error
    }
    if !manager.isReadableFile(atPath: path), manager.fileExists(atPath: path) {
      return StoreError(
        .cannotOpen, message: "\(path): this user may not read the file",
        hint: "Change the file's permissions.", cause: error.cause)
    }
    if !isReadOnly, !manager.isWritableFile(atPath: folder) {
      return StoreError(
        .readOnly, message: "\(path): the folder \(folder) is not writable",
        hint: "SQLite keeps its log beside the file: make the folder writable, or open the store "
          + "with isReadOnly.", cause: error.cause)
    }
    if !isReadOnly, manager.fileExists(atPath: path), !manager.isWritableFile(atPath: path) {
      return StoreError(
        .readOnly, message: "\(path): the file is not writable",
        hint: "Change the file's permissions, or open the store with isReadOnly.",
        cause: error.cause)
    }
    return error
  }

  private static func parent(of path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  private static func exists(_ path: String, isFolder: inout Bool) -> Bool {
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    isFolder = isDirectory.boolValue
    return exists
  }
}
