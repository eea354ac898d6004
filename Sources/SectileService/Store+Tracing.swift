#if Service
  public import SectileStore
  public import Tracing

  extension Store {
    /// Runs a closure in a writing transaction, within a span.
    ///
    /// ```swift
    /// try await store.write(tracing: "add package") { try $0.insert(package) }
    /// ```
    ///
    /// The span has the attributes `db.system.name`, `db.operation.name` and, on a file,
    /// `db.namespace`, after OpenTelemetry's semantic conventions for databases, and `db.rows`, how
    /// many rows were written, those of triggers included. It records what is thrown. Its time
    /// includes waiting for writes before it. See `write(_:)` for more information.
    ///
    /// - Parameters:
    ///   - name: The span's name.
    ///   - tracer: Where the span goes; by default to the one that the process has set up.
    ///   - body: Works with the transaction it gets.
    /// - Returns: What `body` returns.
    /// - Throws: What `write(_:)` throws.
    @discardableResult
    public func write<T: Sendable>(
      tracing name: String, to tracer: any Tracer = InstrumentationSystem.tracer,
      _ body: @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
      try await tracer.withSpan(name, ofKind: .client) { span in
        mark(span, operation: "write")
        return try await write { transaction throws -> T in
          let count = transaction.writtenRowCount
          let value = try body(transaction)
          span.attributes["db.rows"] = transaction.writtenRowCount - count
          return value
        }
      }
    }

    /// Runs a closure in a reading transaction, within a span.
    ///
    /// See ``write(tracing:to:_:)`` and `read(_:)` for more information.
    public func read<T: Sendable>(
      tracing name: String, to tracer: any Tracer = InstrumentationSystem.tracer,
      _ body: @Sendable (StoreReadTransaction) throws -> T
    ) async throws -> T {
      try await tracer.withSpan(name, ofKind: .client) { span in
        mark(span, operation: "read")
        return try await read(body)
      }
    }

    private func mark(_ span: any Span, operation: String) {
      span.attributes["db.system.name"] = "sqlite"
      span.attributes["db.operation.name"] = operation
      if let path { span.attributes["db.namespace"] = path }
    }
  }
#endif
