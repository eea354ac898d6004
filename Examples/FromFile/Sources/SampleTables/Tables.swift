public import SampleService
public import Sectile

/// Opens the lists of the service, one for each table.
///
/// Sort, filter and section them here, `FetchRequest<Order>().sectioned(by: \.status)`, and leave
/// out what clients may not see.
///
/// - Parameter store: The open store.
/// - Returns: The lists, which are loaded.
/// - Throws: A `StoreError` where a table is not as its struct says.
public func servedLists(
  in store: Sectile.Store
) async throws -> [SampleService.ServedList] {
  try await [
    .init("author", of: Sectile.FetchRequest<Author>(), in: store),
    .init("book", of: Sectile.FetchRequest<Book>(), in: store),
    .init("book-tag", of: Sectile.FetchRequest<BookTag>(), in: store),
  ]
}
