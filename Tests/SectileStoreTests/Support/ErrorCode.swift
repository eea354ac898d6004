import SectileStore
import Testing

/// Runs a closure that has to throw a store error, and returns the error.
@discardableResult
func expectStoreError<Result>(
  _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) throws -> StoreError {
  let error = try #require(throws: StoreError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  #expect(error.code == code, "\(error.detailedDescription)", sourceLocation: sourceLocation)
  return error
}

/// Runs an asynchronous closure that has to throw a store error, and returns the error.
@discardableResult
func expectStoreError<Result>(
  _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Result
) async throws -> StoreError {
  let error = try await #require(throws: StoreError.self, sourceLocation: sourceLocation) {
    _ = try await body()
  }
  #expect(error.code == code, "\(error.detailedDescription)", sourceLocation: sourceLocation)
  return error
}
