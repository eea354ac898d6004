import Sectile
import SectileTestSupport

extension DataSource {
  /// Returns a line for each section, with its title and what a closure calls its items.
  func drawing(_ label: (Item) -> String) throws -> [String] {
    try snapshot.materialized().sections.map { section in
      (["\(section.header.title):"] + section.rows.map { label($0.item) }).joined(separator: " ")
    }
  }

  /// Returns a recorder that hears of every change from now on.
  func recorded() throws -> ChangeRecorder<ItemID, Item> {
    let recorder = ChangeRecorder<ItemID, Item>(contents: try snapshot.materialized())
    delegate = recorder
    return recorder
  }
}

extension DataSource where Item: Identifiable {
  /// Returns a line for each section, with its title and the identities of its items.
  func drawing() throws -> [String] { try drawing { "\($0.id)" } }

  /// Returns the identities of all items, whatever the sections are.
  func ids() throws -> [Item.ID] {
    try snapshot.materialized().sections.flatMap { section in section.rows.map(\.item.id) }
  }
}

extension ChangeRecorder {
  /// Returns the changesets since the last call, as text; throws what was wrong with them.
  func news() throws -> [String] {
    try check()
    defer { reset() }
    return changesets.map { "\($0)" }
  }
}

/// Returns the code of the error of the library that a closure throws.
func errorCode<T>(of body: () throws -> T) -> String {
  do {
    _ = try body()
    return "none"
  } catch let error as StoreError {
    return "\(error.code)"
  } catch let error as DataSourceError {
    return "\(error.code)"
  } catch {
    return "\(error)"
  }
}
