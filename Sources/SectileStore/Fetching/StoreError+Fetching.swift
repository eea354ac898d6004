extension StoreError {
  /// A fetch request that has no meaning, or none that SQL can say.
  package static func invalidRequest(
    _ message: String, hint: String? = nil, cause: (any Error)? = nil
  ) -> StoreError {
    StoreError(.invalidRequest, message: message, hint: hint, cause: cause)
  }
}
