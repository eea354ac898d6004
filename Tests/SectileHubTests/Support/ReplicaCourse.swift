import Foundation
import SectileCore
import SectileStore
import SectileTestSupport
import Testing

@testable import SectileHub

/// A replica, its hub, and what happens to both, all by the numbers of a seed.
///
/// What must hold at any time:
///
/// * Rows are those of the hub, as soon as the replica has caught up.
/// * The changesets of live results add up to a fresh fetch.
/// * The accounts of the hub have the same sum after each of its transactions: so they have
///   whenever the replica is read.
/// * A note that was written through the replica is there once, unless the hub has lost it since;
///   so is one that was put in the outbox, unless the file was put back to what it was before.
/// * What tables show is what they would show if all of the outbox were taken back and shown anew.
/// * The replica's position does not go back, but by a resync.
final class ReplicaCourse {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private static let account = SyncedTable(
    name: "account", columns: [.init("id", .text), .init("balance", .integer)], key: ["id"])
  private static let note = SyncedTable(
    name: "note", columns: [.init("id", .integer), .init("text", .text, isNullable: true)],
    key: ["id"])
  private static let accounts = ["a", "b", "c", "d"]
  private static let total: Int64 = 400

  /// What has happened so far.
  private(set) var story: [String] = []
  private let bench: ReplicaBench
  private var random: SeededRandom
  private var replica: Replica
  private var results: SectionedResults<Parcel>
  private var recorder = ChangeRecorder<Int64, Parcel>()
  private var lastNote: Int64 = 0
  private var writtenNotes: Set<Int64> = []
  /// Those in the outbox that the hub has to get.
  private var enqueuedNotes: Set<Int64> = []
  private var lastSeen: (position: HubPosition, resyncs: Int)?
  private var hasBackup = false
  /// Whether rows of the hub were changed without a commit, and no heartbeat has come since.
  private var isRedefined = false

  init(seed: UInt64) async throws {
    random = SeededRandom(seed: seed)
    bench = try ReplicaBench(tables: [Parcel.table, Self.account, Self.note], seed: seed)
    try bench.hub.commit(
      Self.accounts.map { id in
        .insert(
          table: "account",
          values: ["id": .text(id), "balance": .integer(Self.total / Int64(Self.accounts.count))])
      })
    try bench.hub.commit((1...10).map { Parcel.new($0, depot: $0 % 3) })
    (replica, results) = try await Self.open(bench, recorder)
  }

  private static func open(
    _ bench: ReplicaBench, _ recorder: ChangeRecorder<Int64, Parcel>
  ) async throws -> (Replica, SectionedResults<Parcel>) {
    let replica = try await bench.open(["parcel", "account", "note"]) {
      $0.offlineTables = ["parcel", "note"]
    }
    let results = try replica.store.results(of: Parcel.byDepot)
    results.delegate = recorder
    try await results.load()
    return (replica, results)
  }

  /// Has one thing happen.
  func step() async throws {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<30: try commitParcels()
    case ..<45: try transfer()
    case ..<55: try await write()
    case ..<58: try await enqueue()
    case ..<60: try await enqueueWithoutTheHub()
    case ..<62: tell("truncate") { bench.hub.truncate("parcel") }
    case ..<65: redefine()
    case ..<70: tell("beat") { bench.hub.beat() }
    case ..<75: tell("break") { bench.hub.breakConnections() }
    case ..<80: changeFaults()
    case ..<83: tell("lose log") { bench.hub.loseLog(of: "a") }
    case ..<85: tell("forget") { bench.hub.forget("a") }
    case ..<88: try await loseCommits(by: "promote") { $0.promoteCopy(lacking: $1) }
    case ..<91: try await loseCommits(by: "restore") { $0.restoreBackup(before: $1) }
    case ..<95: try await reopen()
    case ..<97: try await putBack()
    default: try await catchUp()
    }
    try await look()
  }

  /// Has everything that was begun come to its end, and looks at it for the last time.
  func end() async throws {
    bench.hub.faults = InMemoryHubFaults()
    try await catchUp()
    try await look()
    try await close()
  }

  // MARK: - What happens at the hub

  private func tell(_ what: String, _ happening: () -> Void) {
    story.append(what)
    happening()
  }

  private func commitParcels() throws {
    let present = bench.hub.rows(of: "parcel").compactMap { row -> Int64? in
      if case .integer(let id) = row[0] { id } else { nil }
    }
    var changes: [RowMutation] = []
    var left = present.shuffled(using: &random)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let fresh = Int64.random(in: 100...100_000, using: &random)
      let isTaken = present.contains(fresh) || changes.contains(Parcel.new(fresh))
      guard let id = left.popLast(), random.chance(0.7) else {
        if !isTaken { changes.append(Parcel.new(fresh)) }
        continue
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: changes.append(Parcel.gone(id))
      case 1 where !isTaken: changes.append(Parcel.set(id, ["id": .integer(fresh)]))
      default:
        let depot = Int64.random(in: 0..<4, using: &random)
        changes.append(Parcel.set(id, ["depot": .integer(depot), "state": .text("s\(depot)")]))
      }
    }
    story.append("parcels \(changes.count)")
    // Two of the changes may have hit upon one new key.
    try? bench.hub.commit(changes)
  }

  private func transfer() throws {
    let chosen = Self.accounts.shuffled(using: &random)
    let (from, to) = (chosen[0], chosen[1])
    story.append("transfer")
    let balances = Dictionary(
      uniqueKeysWithValues: bench.hub.rows(of: "account").map { ($0[0], $0[1]) })
    guard
      case (.integer(let mine)?, .integer(let theirs)?) = (
        balances[.text(from)], balances[.text(to)]
      )
    else { throw Fault(description: "an account is gone") }
    let amount = Int64.random(in: 1...50, using: &random)
    try bench.hub.commit([set(from, mine - amount), set(to, theirs + amount)])
  }

  private func set(_ account: String, _ balance: Int64) -> RowMutation {
    .update(
      table: "account", key: [.text(account)], revision: nil,
      values: ["balance": .integer(balance)])
  }

  /// Changes rows of the hub without a commit, as definitions of columns and partitions do.
  private func redefine() {
    story.append("redefine")
    let depot = StoredValue.integer(Int64.random(in: 0..<4, using: &random))
    bench.hub.redefine("parcel") { row in
      row[1] == depot ? nil : [row[0], row[1], "redefined", row[3]]
    }
    isRedefined = true
  }

  private func changeFaults() {
    var faults = InMemoryHubFaults()
    if random.chance(0.7) {
      faults.brokenStream = Double.random(in: 0...0.3, using: &random)
      faults.brokenSnapshot = Double.random(in: 0...0.3, using: &random)
      faults.lostMutation = Double.random(in: 0...0.5, using: &random)
      faults.lostAnswer = Double.random(in: 0...0.5, using: &random)
      faults.lostConfirmation = Double.random(in: 0...1, using: &random)
      faults.leftOutValue = Double.random(in: 0...1, using: &random)
    }
    story.append("faults")
    bench.hub.faults = faults
  }

  /// Has the hub lose its last commits, and go on without them.
  ///
  /// Before it loses any, the replica has a heartbeat that comes after all of them: what it has
  /// beyond its last heartbeat could not be told from what comes in its place.
  private func loseCommits(
    by how: String, _ lose: (InMemoryHub, Int) -> Void
  ) async throws {
    try await catchUp()
    bench.hub.beat()
    try await catchUp()
    let count = Int.random(in: 1...6, using: &random)
    // Not the first two, without which there are no accounts.
    guard bench.hub.commitCount > count + 2 else { return }
    story.append("\(how) \(count)")
    lose(bench.hub, count)
    let left = Set(bench.hub.rows(of: "note").map { $0[0] })
    writtenNotes = writtenNotes.filter { left.contains(.integer($0)) }
    for _ in 0..<Int.random(in: 0...8, using: &random) { try transfer() }
  }

  // MARK: - What happens at the replica

  private func write() async throws {
    lastNote += 1
    let id = lastNote
    story.append("write \(id)")
    do {
      try await replica.write(until: random.chance(0.5) ? .hub : .local) { changes in
        try changes.insert(into: "note", values: ["id": id, "text": "note \(id)"])
      }
      writtenNotes.insert(id)
    } catch let error as HubError where error.code == .unavailable {
      // All that was sent, or answered, was lost until the time was over: it may be there or not.
    }
  }

  /// Puts a new note in the outbox, or a change of a parcel, which may be refused.
  private func enqueue() async throws {
    guard random.chance(0.5) else {
      try await enqueueParcels()
      return
    }
    lastNote += 1
    let id = lastNote
    story.append("enqueue note \(id)")
    try await replica.enqueue { changes in
      try changes.insert(into: "note", values: ["id": id, "text": "note \(id)"])
    }
    enqueuedNotes.insert(id)
  }

  /// Puts changes of a few parcels in the outbox, as one entry that has rows in common with others.
  private func enqueueParcels() async throws {
    let ids = (1...12).map(Int64.init).shuffled(using: &random)
    let changes = ids.prefix(Int.random(in: 1...3, using: &random)).map { id in
      (id, kind: Int.random(in: 0..<6, using: &random))
    }
    let (other, depot) = (ids[11], Int64.random(in: 0..<4, using: &random))
    let check: MutationDraft.RevisionCheck = random.chance(0.5) ? .seen : .any
    story.append("enqueue \(changes), \(other), \(depot)")
    do {
      try await replica.enqueue { draft in
        for (id, kind) in changes {
          switch kind {
          case 0: try draft.delete(from: "parcel", key: id, ifRevision: check)
          case 1: try draft.insert(into: "parcel", values: ["id": id, "depot": depot])
          case 2: try draft.update("parcel", key: id, set: ["id": other], ifRevision: check)
          default: try draft.update("parcel", key: id, set: ["depot": depot], ifRevision: check)
          }
        }
      }
    } catch let error as HubError where error.code == .rejected {}
  }

  /// Lets a few entries wait, while the hub goes on by itself.
  private func enqueueWithoutTheHub() async throws {
    story.append("without the hub")
    bench.hub.isReachable = false
    for _ in 0..<Int.random(in: 2...8, using: &random) {
      if random.chance(0.3) { try commitParcels() }
      try await enqueue()
      try await lookAtOutbox()
    }
    bench.hub.isReachable = true
  }

  private func close() async throws {
    bench.hub.isReachable = false
    try await eventually("nothing comes any more") {
      if case .waiting = replica.status.phase { true } else { false }
    }
    try recorder.check(against: results)
    try await replica.close()
    bench.hub.isReachable = true
  }

  private func openAgain() async throws {
    recorder = ChangeRecorder()
    (replica, results) = try await Self.open(bench, recorder)
    lastSeen = nil
  }

  private func reopen() async throws {
    story.append("reopen")
    if random.chance(0.3) {
      try? FileManager.default.removeItem(atPath: backup)
      try await replica.store.backup(to: backup)
      hasBackup = true
    }
    try await close()
    if random.chance(0.5) { try commitParcels() }
    try await openAgain()
  }

  private var backup: String { bench.path + ".old" }

  /// Puts the file back to what it was once.
  private func putBack() async throws {
    guard hasBackup else { return }
    story.append("put back")
    hasBackup = false
    try await close()
    try bench.putBack(from: backup)
    enqueuedNotes = []
    try await openAgain()
  }

  // MARK: - What must hold

  private func catchUp() async throws {
    story.append("catch up")
    if isRedefined {
      // It is found out at the next one that comes.
      bench.hub.beat()
      isRedefined = false
    }
    try await eventually("the replica has what the hub has") {
      guard replica.status.token?.position == bench.hub.position else { return false }
      let waiting = try await replica.outbox().filter { !$0.isParked }
      guard waiting.isEmpty else { return false }
      return try Self.tables.allSatisfy { table in
        try Set(bench.rows(replica, table)) == Set(bench.hub.rows(of: table))
      }
    }
    writtenNotes.formUnion(enqueuedNotes)
    enqueuedNotes = []
    let notes = bench.hub.rows(of: "note").map { $0[0] }
    for id in writtenNotes where !notes.contains(.integer(id)) {
      throw Fault(description: "note \(id) was written and is not there")
    }
  }

  private static let tables = ["parcel", "account", "note"]

  /// Reads the replica as it is at this moment, wherever that is.
  private func look() async throws {
    let resyncs = replica.status.resyncCount
    let (sum, text) = try await replica.store.read { transaction in
      (
        try transaction.query("SELECT sum(balance) FROM account").first?.values.first,
        try transaction.query("SELECT token FROM sectile_replica").first?.values.first
      )
    }
    guard sum == .integer(Self.total) else {
      throw Fault(description: "the accounts have \(String(describing: sum)) in all")
    }
    guard case .text(let token)? = text, let position = HubToken(token)?.position else {
      throw Fault(description: "the file does not say where it stands")
    }
    if let lastSeen, position < lastSeen.position {
      // The file has it before the status has.
      try await eventually("it was a resync that led from \(lastSeen.position) to \(position)") {
        replica.status.resyncCount > lastSeen.resyncs
      }
    }
    lastSeen = (position, resyncs)
    if random.chance(0.3) { try await lookAtOutbox() }
    let violations = recorder.violations
    guard violations.isEmpty else { throw Fault(description: violations.joined(separator: "; ")) }
  }

  /// Shows the outbox anew, compares, and takes that back.
  private func lookAtOutbox() async throws {
    struct Compared: Error {
      let shown: [StoredRow]
      let anew: [StoredRow]
    }
    do {
      try await replica.store.write { transaction in
        func rows() throws -> [StoredRow] {
          try transaction.query("SELECT id, depot, state, sectile_rev FROM parcel ORDER BY id")
            + transaction.query("SELECT id, text, NULL, NULL FROM note ORDER BY id")
        }
        let shown = try rows()
        let outbox = Outbox(try ReplicaTables.syncedTables(in: transaction))
        try ReplicaTables.open(in: transaction)
        try outbox.takeBackAll(in: transaction)
        try outbox.showAll(in: transaction)
        throw Compared(shown: shown, anew: try rows())
      }
    } catch let compared as Compared {
      guard compared.shown.map(\.values) == compared.anew.map(\.values) else {
        throw Fault(description: "tables show \(compared.shown), and anew \(compared.anew)")
      }
    }
  }
}

extension OutboxEntry {
  /// Whether the hub has refused it.
  fileprivate var isParked: Bool { if case .parked = state { true } else { false } }
}
