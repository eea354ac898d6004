import Foundation
import SectileTestHelpers

/// A second copy of SQLite in this process, as a driver brings one that has its own: it knows
/// nothing of the locks that the first one has.
struct SecondLibrary {
  struct Failure: Error { let what: String }

  private typealias Open =
    @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> CInt
  private typealias Execute =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>, UnsafeRawPointer?, UnsafeRawPointer?,
      UnsafeRawPointer?
    ) -> CInt
  private typealias Close = @convention(c) (OpaquePointer?) -> CInt

  /// Where the first one is; nil where it is a part of the program, of which there is no copy.
  private static let original: String? = {
    let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let paths = (maps ?? "").split(separator: "\n").compactMap { line in
      line.firstIndex(of: "/").map { String(line[$0...]) }
    }
    return paths.first { $0.contains("/libsqlite3.so") }
  }()

  #if canImport(Glibc)
    static var isPossible: Bool { original != nil }
    /// It finds its own functions, not those of the first one.
    private static let mode = RTLD_NOW | RTLD_DEEPBIND
  #else
    static var isPossible: Bool { false }
    private static let mode = RTLD_NOW
  #endif

  private let library: UnsafeMutableRawPointer

  /// Loads a copy of the library, which stays.
  init(in folder: TemporaryFolder) throws {
    let copy = folder.file("second-\(UUID().uuidString).so")
    guard let original = Self.original else { throw Failure(what: "there is no library") }
    try FileManager.default.copyItem(atPath: original, toPath: copy)
    guard let library = dlopen(copy, Self.mode) else { throw Failure(what: "dlopen") }
    self.library = library
  }

  private func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
    guard let symbol = dlsym(library, name) else { throw Failure(what: name) }
    return unsafeBitCast(symbol, to: type)
  }

  /// Opens a file, runs a statement, and closes it.
  func run(_ sql: String, in path: String) throws {
    var connection: OpaquePointer?
    guard try function("sqlite3_open", as: Open.self)(path, &connection) == 0 else {
      throw Failure(what: "open")
    }
    let code = try function("sqlite3_exec", as: Execute.self)(connection, sql, nil, nil, nil)
    guard try function("sqlite3_close", as: Close.self)(connection) == 0, code == 0 else {
      throw Failure(what: "\(sql): \(code)")
    }
  }
}
