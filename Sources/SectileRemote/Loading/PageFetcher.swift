internal import SectileCore

/// Loads single pages, with retries, within the time that a request may take.
package struct PageFetcher<Item: Sendable, Page: Hashable & Sendable>: Sendable {
  package let loader: any PageLoader<Item, Page>
  package let configuration: RemoteConfiguration
  private let jitter: Jitter

  package init(loader: any PageLoader<Item, Page>, configuration: RemoteConfiguration) {
    self.loader = loader
    self.configuration = configuration
    jitter = Jitter(seed: configuration.jitterSeed)
  }

  /// Loads a page.
  ///
  /// - Throws: `CancellationError` where the task is cancelled, and otherwise ``RemoteError``.
  package func page(_ page: Page) async throws -> LoadedPage<Item, Page> {
    var attempt = 1
    while true {
      do {
        return try await self.attempt(page)
      } catch {
        try Task.checkCancellation()
        let jitter = jitter.next()
        let delay = configuration.retry.delay(after: attempt, error: error, jitter: jitter)
        guard let delay else { throw RemoteError(wrapping: error, attempts: attempt) }
        try await configuration.clock.sleep(for: delay.waitable)
        attempt += 1
      }
    }
  }

  private func attempt(_ page: Page) async throws -> LoadedPage<Item, Page> {
    try Task.checkCancellation()
    let limit = configuration.requestTimeout
    let late = RemoteError(
      code: .timedOut,
      message: "A page was not loaded within \(limit.map(\.description) ?? "the time").",
      hint: "Raise requestTimeout, or ask for smaller pages.")
    return try await withDeadline(limit, configuration, late: late) { [loader] in
      try await loader.loadPage(page)
    }
  }
}
