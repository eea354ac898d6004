#if Postgres
  public import SectileCore
  public import SectileHub

  extension PostgresHub {
    /// What a comparison of a replica's rows with the hub's has found.
    public struct Verification: Hashable, Sendable {
      /// Where the hub's rows are from.
      public var position: HubPosition
      /// What was found of each table, in the order of their names.
      public var tables: [Table]

      /// Whether all rows are the hub's, as far as they were compared.
      public var isEqual: Bool { tables.allSatisfy(\.isEqual) }

      /// What was found of a table.
      public struct Table: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// How many rows the hub has.
        public var hubRowCount = 0
        /// How many rows the replica has.
        public var replicaRowCount = 0
        /// How many rows the replica lacks, among those that were compared one by one.
        public var missingCount = 0
        /// How many rows the replica has and the hub does not, among those.
        public var surplusCount = 0
        /// How many rows have other values, among those.
        public var changedCount = 0
        /// The first of these rows.
        public var rows: [Row] = []
        /// How many rows are in parts of the table that differ and were not compared one by one,
        /// since enough rows were found before.
        public var uncomparedCount = 0
        /// How many rows looked otherwise because the hub changed them while they were compared, or
        /// because a change of the replica's own waits for the hub: they are not judged.
        public var unsettledCount = 0

        /// How many rows are known to differ.
        public var differenceCount: Int { missingCount + surplusCount + changedCount }

        /// Whether all rows are the hub's, but for those that are not judged.
        public var isEqual: Bool { differenceCount == 0 && uncomparedCount == 0 }
      }

      /// A row that differs.
      public struct Row: Hashable, Sendable {
        /// How it differs.
        public enum Difference: String, Hashable, Sendable {
          /// The replica does not have it.
          case missing
          /// The hub does not have it.
          case surplus
          /// It has other values in the replica than at the hub.
          case changed
        }

        /// How it differs.
        public var difference: Difference
        /// The values of its key, as the replica has them.
        public var key: [StoredValue]
      }
    }
  }
#endif
