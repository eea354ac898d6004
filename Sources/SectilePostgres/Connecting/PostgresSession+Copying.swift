#if Postgres
  internal import CPostgres
  internal import SectileHub

  extension PostgresSession {
    /// Begins a statement that sends data, and not rows: a copy, or a stream.
    func beginCopy(_ sql: String) throws {
      guard PQsendQuery(raw, sql) == 1 else { throw lost() }
      guard let part = try nextPart() else { throw lost() }
      let status = PQresultStatus(part)
      let failure = PostgresError(part)
      PQclear(part)
      if status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH { return }
      _ = try finish()
      throw failure
    }

    /// What is there of a copy.
    enum CopyData {
      case bytes([UInt8])
      /// Nothing has come.
      case none
      /// There will be no more.
      case end
    }

    /// Returns the next data that has come, without waiting.
    func takeCopyData() throws -> CopyData {
      var buffer: UnsafeMutablePointer<CChar>?
      let count = PQgetCopyData(raw, &buffer, 1)
      switch count {
      case 0: return .none
      case -1: return .end
      case 1...:
        guard let buffer else { return .none }
        defer { PQfreemem(buffer) }
        return .bytes([UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(count))))
      default: throw lost()
      }
    }

    /// Waits for the next data of a copy; nil at its end.
    func nextCopyData() throws -> [UInt8]? {
      while true {
        switch try takeCopyData() {
        case .bytes(let bytes): return bytes
        case .none:
          _ = try wait(reading: true)
          try consume()
        case .end:
          _ = try finish()
          return nil
        }
      }
    }

    /// Sends data in a stream.
    func sendCopyData(_ bytes: [UInt8]) throws {
      let result = bytes.withUnsafeBytes {
        PQputCopyData(raw, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count))
      }
      // 0 where libpq's buffer is full, which a few bytes after a flush do not bring about.
      guard result == 1 else { throw lost() }
      try flush()
    }
  }
#endif
