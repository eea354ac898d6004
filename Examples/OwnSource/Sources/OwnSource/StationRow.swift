public import Sectile

/// A row of the whole board: an announcement of the database, or a departure.
public enum StationRow: Hashable, Sendable {
  /// Something is announced.
  case announcement(Announcement)
  /// A train leaves.
  case departure(Departure)
}

/// Returns what stands at the station: the announcements of a store, then the departures.
///
/// Each commit of the store, and each tick of the board, is one changeset of it.
public func station(
  _ announcements: SectionedResults<Announcement>, _ board: DepartureBoard
) -> AnyDataSource<StationRow> {
  announcements.map { .announcement($0) }.concatenated(with: board.map { .departure($0) })
}
