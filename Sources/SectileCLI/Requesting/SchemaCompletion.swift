internal import Foundation
internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Offers a shell the tables and columns of the file on the line that is being typed.
///
/// ```swift
/// @Option(help: "The table.", completion: .custom(SchemaCompletion.tables))
/// ```
///
/// Whatever goes wrong, nothing is offered: a shell has no place for a complaint.
enum SchemaCompletion {
  /// How long a file is asked.
  private static let patience = Duration.milliseconds(300)

  /// Returns the tables and views, for the value of `--table`.
  ///
  /// - Parameters:
  ///   - words: The words of the line.
  ///   - position: Which of them is being typed.
  ///   - prefix: What of it stands before the cursor.
  /// - Returns: What may stand there.
  @Sendable static func tables(words: [String], position: Int, prefix: String) -> [String] {
    offered { try tableNames(on: TypedLine(words, typed: position).connection()) }
  }

  /// Returns the columns of the table or query on the line, of all tables where there is none; see
  /// ``tables(words:position:prefix:)``.
  @Sendable static func columns(words: [String], position: Int, prefix: String) -> [String] {
    offered { try columnNames(TypedLine(words, typed: position)) }
  }

  /// Returns the columns behind those of a list with commas that has been begun; see
  /// ``tables(words:position:prefix:)``.
  @Sendable static func columnLists(words: [String], position: Int, prefix: String) -> [String] {
    guard let comma = prefix.lastIndex(of: ",") else {
      return columns(words: words, position: position, prefix: prefix)
    }
    let begun = prefix[...comma]
    let known = Set(ColumnOptions.names(in: String(begun)))
    return columns(words: words, position: position, prefix: prefix)
      .filter { !known.contains($0) }.map { begun + $0 }
  }

  /// Returns the columns, each with the sign that its new value, type or name comes after; see
  /// ``tables(words:position:prefix:)``.
  @Sendable static func assignedColumns(words: [String], position: Int, prefix: String) -> [String]
  {
    if prefix.contains("=") { return [] }
    return columns(words: words, position: position, prefix: prefix).map { $0 + "=" }
  }

  /// Returns the columns for the value of `--map`: those of an attached table, then behind the sign
  /// those of the table; see ``tables(words:position:prefix:)``.
  @Sendable static func mappedColumns(words: [String], position: Int, prefix: String) -> [String] {
    if let sign = prefix.firstIndex(of: "=") {
      return columns(words: words, position: position, prefix: prefix).map { prefix[...sign] + $0 }
    }
    return offered {
      let line = TypedLine(words, typed: position)
      guard let name = line.value(of: "--from") else { return [] }
      for file in line.attachedFiles where name.hasPrefix(file.name + ".") {
        let table = String(name.dropFirst(file.name.count + 1))
        let connection = try TypedLine.connection(to: file.value)
        return try TableShape(of: table, in: file.value, on: connection).columns.map { $0 + "=" }
      }
      return []
    }
  }

  /// Returns the tables and views of attached files, each with the file's name before it; see
  /// ``tables(words:position:prefix:)``.
  @Sendable static func attachedTables(words: [String], position: Int, prefix: String) -> [String] {
    offered {
      TypedLine(words, typed: position).attachedFiles.flatMap { file in
        let names = try? tableNames(on: TypedLine.connection(to: file.value))
        return (names ?? []).map { "\(file.name).\($0)" }
      }
    }
  }

  private static func offered(_ names: () throws -> [String]) -> [String] {
    // A shell would take a line break for the end of a name, and show the rest as it is.
    ((try? names()) ?? []).filter { !$0.isEmpty && TerminalText.escaped($0) == $0 }
  }

  private static func columnNames(_ line: TypedLine) throws -> [String] {
    let connection = try line.connection()
    if let sql = line.value(of: "--sql"),
      let shape = try? TableRequest(sql: sql).shape(on: connection)
    {
      return shape.columns
    }
    let tables = try line.value(of: "--table").map { [$0] } ?? tableNames(on: connection)
    var seen: Set<String> = []
    return tables.flatMap { table in
      // A table whose module is missing has no columns that could be told.
      (try? TableShape(of: table, in: connection.path, on: connection))?.columns ?? []
    }.filter { seen.insert($0).inserted }
  }

  private static func tableNames(on connection: InspectionConnection) throws -> [String] {
    try TableListing.all(in: connection).map(\.name)
  }

  /// A command line that is being typed.
  private struct TypedLine {
    private let words: [String]

    init(_ words: [String], typed position: Int) {
      self.words = words.enumerated().filter { $0.offset != position }.map { $0.element.unquoted }
    }

    /// The first file of the line, opened.
    func connection() throws -> InspectionConnection {
      // The first word is the program's own file; a folder is nothing that opens.
      guard let path = words.dropFirst().first(where: { FileIdentity($0) != nil })
      else { throw CommandFailure(.usage, "there is no file on the line") }
      return try Self.connection(to: path, isImmutable: words.contains("--immutable"))
    }

    /// Opens a file for as long as somebody who types may wait.
    static func connection(
      to path: String, isImmutable: Bool = false
    ) throws -> InspectionConnection {
      let connection = try InspectionConnection(
        path: path, isImmutable: isImmutable, busyTimeout: SchemaCompletion.patience)
      let end = ContinuousClock.now + SchemaCompletion.patience
      connection.setProgress(every: 10_000) { ContinuousClock.now < end }
      return connection
    }

    /// The values of `--attach`.
    var attachedFiles: [NamedArgument] {
      words.indices.filter { words[$0] == "--attach" }.compactMap { position in
        // Some shells take the equals sign for a word, others leave all of it in one.
        let rest = words[(position + 1)...].prefix(3)
        let parts = rest.first?.contains("=") == true ? rest.prefix(1) : rest
        return NamedArgument(argument: parts.joined())
      }
    }

    /// The value of an option; nil where it is not there.
    func value(of option: String) -> String? {
      guard let position = words.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") })
      else { return nil }
      if words[position] != option { return String(words[position].dropFirst(option.count + 1)) }
      // Some shells take the equals sign for a word.
      return words[(position + 1)...].first { $0 != "=" }
    }
  }
}

extension String {
  /// A word of a shell's line as the shell would hand it on.
  fileprivate var unquoted: String {
    var result = ""
    var quote: Character?
    var isEscaped = false
    for character in self {
      if isEscaped {
        result.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { result.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
      } else {
        result.append(character)
      }
    }
    guard result.hasPrefix("~/") else { return result }
    return NSHomeDirectory() + result.dropFirst()
  }
}
