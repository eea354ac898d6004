#if NATS
  import Foundation
  import SectileCore
  import SectileHub
  import SectileTestSupport

  extension HubTransaction {
    /// A transaction with values of all kinds, at their limits as well.
    static func random(_ random: inout SeededRandom) -> HubTransaction {
      let count = Int.random(in: 0...6, using: &random)
      let position = random.next()
      let shift = UInt64.random(in: 0...63, using: &random)
      return HubTransaction(
        position: HubPosition(byteCount: position >> shift),
        committedAt: random.chance(0.5) ? Date.random(&random) : nil,
        changes: (0..<count).map { _ in HubChange.random(&random) },
        controlRecords: HubControlRecords.random(&random))
    }
  }

  extension HubChange {
    fileprivate static func random(_ random: inout SeededRandom) -> HubChange {
      let table = ["parcel", "depot", "ß \u{1F4E6}", ""][Int.random(in: 0...3, using: &random)]
      let count = Int.random(in: 0...5, using: &random)
      func row() -> [StoredValue] { (0..<count).map { _ in StoredValue.random(&random) } }
      switch Int.random(in: 0...3, using: &random) {
      case 0: return .insert(table: table, row: row())
      case 1:
        let key = random.chance(0.3) ? row() : nil
        let values: [StoredValue?] = row().map { random.chance(0.3) ? nil : $0 }
        return .update(table: table, key: key, row: values)
      case 2: return .delete(table: table, key: row())
      default: return .truncate(table: table)
      }
    }
  }

  extension StoredValue {
    fileprivate static func random(_ random: inout SeededRandom) -> StoredValue {
      switch Int.random(in: 0...4, using: &random) {
      case 0: return .null
      case 1:
        let shift = UInt64.random(in: 0...63, using: &random)
        let number = Int64(bitPattern: random.next()) >> Int64(shift)
        let numbers: [Int64] = [.min, .max, 0, -1, number]
        return .integer(numbers.randomElement(using: &random) ?? number)
      case 2:
        let number = Double.random(in: -1e9...1e9, using: &random)
        let numbers: [Double] = [
          -0.0, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, number,
        ]
        return .real(numbers.randomElement(using: &random) ?? number)
      case 3:
        let letters = ["a", "\0", "é", "e\u{301}", "\u{1F4E6}", "'", "\n"]
        let length = Int.random(in: 0...200, using: &random)
        return .text((0..<length).map { _ in letters.randomElement(using: &random) ?? "" }.joined())
      default:
        let length = Int.random(in: 0...200, using: &random)
        return .blob((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) })
      }
    }
  }

  extension Date {
    fileprivate static func random(_ random: inout SeededRandom) -> Date {
      Date(timeIntervalSinceReferenceDate: Double.random(in: -1e10...1e10, using: &random))
    }
  }

  extension HubControlRecords {
    fileprivate static func random(_ random: inout SeededRandom) -> HubControlRecords {
      var records = HubControlRecords()
      for number in 0..<Int64.random(in: 0...2, using: &random) {
        let id = MutationID(client: "client \(number)", number: Int64.max - number)
        records.outcomes.append(MutationReceipt(id, isApplied: random.chance(0.5)))
      }
      if random.chance(0.3) {
        records.heartbeat = HubHeartbeat(date: Date.random(&random), mark: "\(random.next())")
      }
      if random.chance(0.3) { records.schemaVersions = -3...Int.random(in: 0...9, using: &random) }
      if random.chance(0.3) {
        records.withheld = [WithheldValue(table: "parcel", column: "due", reason: "infinity")]
      }
      return records
    }
  }
#endif
