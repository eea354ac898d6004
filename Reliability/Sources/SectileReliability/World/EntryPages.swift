internal import Dispatch
internal import Sectile
internal import SectileRemote
internal import Synchronization

/// A service with a list of entries in pages, the same in every process.
struct EntryPages: PageLoader {
  static let pageCount = 40
  static let pageSize = 25

  let firstPage = 0

  func loadPage(_ page: Int) async throws -> LoadedPage<Entry, Int> {
    let start = page * Self.pageSize
    return LoadedPage(
      items: (start..<start + Self.pageSize).map(Self.entry),
      nextPage: page + 1 < Self.pageCount ? page + 1 : nil)
  }

  /// The entry at a position of the list.
  static func entry(_ position: Int) -> Entry {
    Entry(
      id: Int64(position), batch: Int64(position / pageSize),
      body: String(repeating: "p", count: position % 97))
  }

  /// Goes on with the list in a store until it is whole, and waits for that.
  static func loadAll(into store: Store) throws {
    let remoteList = PersistentRemoteList(name: "entries", store: store, loader: EntryPages())
    let failure = Mutex<(any Error)?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task {
      do { _ = try await remoteList.loadMore(pages: pageCount) } catch {
        failure.withLock { $0 = error }
      }
      done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
