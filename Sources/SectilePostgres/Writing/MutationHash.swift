#if Postgres
  internal import SectileCore
  internal import SectileHub

  extension Mutation {
    /// A number that is the same for the same changes, by which the hub knows a mutation that is
    /// sent again.
    var hash: Int64 {
      var hash = StableHash()
      hash.combine(UInt64(changes.count))
      for change in changes { hash.combine(change) }
      return Int64(bitPattern: hash.value)
    }
  }

  extension StableHash {
    fileprivate mutating func combine(_ change: RowMutation) {
      switch change {
      case .insert(let table, let values):
        combine("insert")
        combine(table)
        combine(values)
      case .update(let table, let key, let revision, let values):
        combine("update")
        combine(table)
        combine(key, revision)
        combine(values)
      case .delete(let table, let key, let revision):
        combine("delete")
        combine(table)
        combine(key, revision)
      }
    }

    private mutating func combine(_ key: [StoredValue], _ revision: Int64?) {
      combine(UInt64(key.count))
      for value in key { combine(value) }
      combine(UInt64(revision == nil ? 0 : 1))
      combine(UInt64(bitPattern: revision ?? 0))
    }

    private mutating func combine(_ values: [String: StoredValue]) {
      combine(UInt64(values.count))
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        combine(name)
        combine(value)
      }
    }

    private mutating func combine(_ value: StoredValue) {
      switch value {
      case .null: combine(UInt64(0))
      case .integer(let number):
        combine(UInt64(1))
        combine(UInt64(bitPattern: number))
      case .real(let number):
        combine(UInt64(2))
        combine(number.bitPattern)
      case .text(let text):
        combine(UInt64(3))
        combine(text)
      case .blob(let bytes):
        combine(UInt64(4))
        combine(UInt64(bytes.count))
        combine(bytes)
      }
    }
  }
#endif
