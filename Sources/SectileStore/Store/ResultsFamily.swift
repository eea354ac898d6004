internal import SectileCore
internal import Synchronization

/// Live results that differ in one value: the parcels of each owner.
///
/// ```swift
/// let parcels = try store.family(of: FetchRequest<Parcel>().sort(by: \.weight), by: \.ownerID)
/// let mine = try parcels.results(for: 7)
/// try mine.load()
/// ```
///
/// Each member is a ``SectionedResults`` of its own, with sections, windows, tokens and feeds. It
/// is made when it is asked for, is the same for all who ask while somebody holds it, and is let
/// go when nobody does. So its ``SectionedResults/cancel()`` and its delegate concern all who hold
/// it. A member that was given another request is handed out no more.
///
/// A row whose value changes leaves one member and enters another in the same commit. Values are
/// told apart as SQLite stores them, byte by byte.
///
/// Members share what was found out about their request, and their statements. A commit of the
/// store asks those alone whose value one of its rows had or has. For that the value is an integer,
/// or a text in a column that compares by bytes.
public final class ResultsFamily<Value: StorableValue, Item: Identifiable & Sendable>: Sendable
where Item.ID: EntityKey {
  private struct Member {
    let value: Value
    weak var results: SectionedResults<Item>?
  }

  private struct Members {
    var all: [StoredValue: Member] = [:]
    /// How many there may be before those that are gone are looked for.
    var limit = 64
  }

  // MARK: - Mutable state
  //
  // - `members`: guarded by its mutex. Results that are held for a moment are let go outside of it:
  //   nobody else may hold them then.
  private let members = Mutex(Members())
  private let form: ColumnEncoding
  private let make: @Sendable (Value) throws -> SectionedResults<Item>

  init(
    of form: ColumnEncoding, _ make: @escaping @Sendable (Value) throws -> SectionedResults<Item>
  ) {
    (self.form, self.make) = (form, make)
  }

  /// Returns the member of a value: the same for all who ask while somebody holds it.
  ///
  /// - Parameter value: The value that its rows have.
  /// - Returns: The member. It is empty until somebody loads it.
  /// - Throws: A ``StoreError``: `invalidRequest` for a value that SQLite cannot store.
  /// - Complexity: O(1), amortized.
  public func results(for value: Value) throws -> SectionedResults<Item> {
    // What cannot be stored is refused where the request is made.
    guard let stored = try? value.storedValue(in: form) else { return try make(value) }
    let known = members.withLock { $0.all[stored]?.results }
    if let known, known.tracker.plan.familyValue == stored { return known }
    let made = try make(value)
    let (result, held) = members.withLock { members in
      var held: [SectionedResults<Item>] = []
      // Somebody may have asked at the same time.
      if let other = members.all[stored]?.results {
        held.append(other)
        if other !== known { return (other, held) }
      }
      members.all[stored] = Member(value: value, results: made)
      if members.all.count > members.limit {
        members.all = members.all.filter { $0.value.results.map { held.append($0) } != nil }
        members.limit = max(64, 2 * members.all.count)
      }
      return (made, held)
    }
    withExtendedLifetime(held) {}
    return result
  }

  /// The values whose members somebody holds, in no order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public var values: [Value] {
    let members = members.withLock { $0.all }
    return members.values.filter { $0.results != nil }.map(\.value)
  }
}
