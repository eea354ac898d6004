internal import Synchronization

/// Live results that differ in one value: the parcels of each owner.
///
/// ```swift
/// let parcels = try store.family(of: FetchRequest<Parcel>().sort(by: \.weight), by: \.ownerID)
/// let mine = try parcels.results(for: 7)
/// try mine.load()
/// ```
///
/// Each member is a ``SectionedResults`` of its own, with sections, windows, tokens and feeds. It is
/// made when it is asked for, and let go when nobody holds it any more. A row whose value changes
/// leaves one member and enters another in the same commit.
///
/// Members share what was found out about their request, and their statements. A commit of the store
/// asks those alone whose value one of its rows had or has. For that the value is an integer, or a
/// text in a column that compares by bytes.
public final class ResultsFamily<Value: StorableValue & Hashable, Item: Identifiable & Sendable>:
  Sendable where Item.ID: EntityKey
{
  private struct Member {
    weak var results: SectionedResults<Item>?
  }

  private struct Members {
    var all: [Value: Member] = [:]
    /// How many there may be before those that are gone are looked for.
    var limit = 64
  }

  // MARK: - Mutable state
  //
  // - `members`: guarded by its mutex.
  private let members = Mutex(Members())
  private let make: @Sendable (Value) throws -> SectionedResults<Item>

  init(_ make: @escaping @Sendable (Value) throws -> SectionedResults<Item>) { self.make = make }

  /// Returns the member of a value: the same for all who ask while somebody holds it.
  ///
  /// - Parameter value: The value that its rows have.
  /// - Returns: The member. It is empty until somebody loads it.
  /// - Throws: A ``StoreError``: `invalidRequest` for a value that SQLite cannot store.
  /// - Complexity: O(1), amortized.
  public func results(for value: Value) throws -> SectionedResults<Item> {
    if let known = members.withLock({ $0.all[value]?.results }) { return known }
    let made = try make(value)
    return members.withLock { members in
      // Somebody may have asked at the same time.
      if let known = members.all[value]?.results { return known }
      members.all[value] = Member(results: made)
      if members.all.count > members.limit {
        members.all = members.all.filter { $0.value.results != nil }
        members.limit = max(64, 2 * members.all.count)
      }
      return made
    }
  }

  /// The values whose members somebody holds, in no order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public var values: [Value] {
    members.withLock { members in members.all.filter { $0.value.results != nil }.map(\.key) }
  }
}
