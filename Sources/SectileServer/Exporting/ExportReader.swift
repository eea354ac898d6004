#if Server
  internal import Sectile
  internal import SectileInspecting
  internal import Synchronization

  /// Reads the rows of a request one after the other, in one reading transaction of a connection
  /// of its own, and writes them in portions: on whatever thread asks for the next one.
  final class ExportReader: Sendable {
    /// The name of the table as the schema has it; what rows of a SELECT are called.
    let table: String

    // MARK: - Mutable state
    //
    // - `portions`: guarded by its mutex.
    private let portions: Mutex<PortionReader>

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - request: What is wanted, which has been checked.
    ///   - format: How it is written.
    ///   - source: The file.
    /// - Throws: `RequestError` and `StoreError`.
    init(_ request: TableRequest, as format: ExportFormat, from source: FileSource) throws {
      let reader = try PortionReader(request, as: format, from: source)
      table = reader.table
      portions = Mutex(reader)
    }

    /// Returns the next bytes, maybe none; nil after the last ones.
    ///
    /// - Throws: `StoreError`: `interrupted` where no portion is there in time; ``Refusal`` for a
    ///   row that is too large.
    func next() throws -> [UInt8]? { try portions.withLock { try $0.next() } }
  }

  /// What an export reads by.
  ///
  /// No more than a portion and one row is in memory. Between two portions no thread waits.
  private final class PortionReader {
    /// A portion ends with the row by which it has this many bytes.
    private static let portionBytes = 64 * 1024

    let table: String
    private let connection: InspectionConnection
    private let statement: InspectionStatement
    private let writer: any RowWriting
    private let output = PortionOutput()
    private let limits: ViewLimits
    private var isAtEnd = false

    init(_ request: TableRequest, as format: ExportFormat, from source: FileSource) throws {
      limits = source.limits
      connection = try source.inspection()
      let end = ContinuousClock.now + limits.queryTime
      connection.setProgress(every: 100_000) { .now < end }
      let query = try SectionedQuery(request, on: connection)
      table = query.table
      let mixed =
        request.query == nil
        ? try ExportedColumns(of: table, named: query.columns, on: connection).mixed : []
      writer = format.makeWriter(
        table: table, columns: query.columns, mixed: mixed, output: output)
      statement = try connection.prepare(query.rows.sql)
      statement.keepsInvalidText = true
      try statement.start(query.rows.values)
    }

    func next() throws -> [UInt8]? {
      if isAtEnd { return nil }
      let end = ContinuousClock.now + limits.queryTime
      connection.setProgress(every: 100_000) { .now < end }
      while output.bytes.count < Self.portionBytes {
        guard let row = try statement.next() else {
          // The transaction ends with the last row, not with the last byte that is read.
          statement.reset()
          try writer.finish()
          isAtEnd = true
          break
        }
        // It is there several times while it is written.
        let size = row.reduce(0) { $0 + $1.byteCount }
        guard size <= limits.cellBytes else {
          throw Refusal(
            .tooLarge, "a row has \(size) bytes", hint: "Leave columns with large values out.")
        }
        try writer.write(row, invalidText: statement.invalidTextColumns)
      }
      return output.take()
    }
  }

  extension StoredValue {
    /// How many bytes the value has; none for numbers.
    fileprivate var byteCount: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .blob(let bytes): bytes.count
      case .null, .integer, .real: 0
      }
    }
  }

  /// Gathers what is written until it is taken.
  private final class PortionOutput: RowOutput {
    private(set) var bytes: [UInt8] = []

    func write(_ text: String) { bytes += text.utf8 }

    func write(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }

    func take() -> [UInt8] {
      defer { bytes = [] }
      return bytes
    }
  }
#endif
