import SectileCore
import SectileTestSupport
import Testing

@testable import SectileHub

/// Writes of one process that are under way at once.
@Suite(.timeLimit(.minutes(60))) struct MutationSenderTests {
  private let hub = InMemoryHub(tables: [Parcel.table], conditions: [:], seed: 3)

  private func makeSender(_ sink: GatedSink) -> MutationSender {
    MutationSender(sink, timeout: .seconds(60))
  }

  /// Has one write be on its way, and others wait for it, in order.
  private func queue(
    _ changes: [RowMutation], behind first: RowMutation, _ sender: MutationSender, _ sink: GatedSink
  ) async throws -> [Task<MutationID, any Error>] {
    var tasks = [Task { try await sender.send([first]) }]
    try await eventually("the first is on its way") { sink.batches.count == 1 }
    for (place, change) in changes.enumerated() {
      tasks.append(Task { try await sender.send([change]) })
      try await eventually("it waits") { await sender.waitingCount == place + 1 }
    }
    return tasks
  }

  @Test func writesThatWaitGoTogetherInTheirOrder() async throws {
    let sink = GatedSink(hub, isOpen: false)
    let sender = makeSender(sink)
    let waiting = (2...6).map { Parcel.new(Int64($0)) }
    let tasks = try await queue(waiting, behind: Parcel.new(1), sender, sink)
    sink.open()
    for task in tasks { _ = try await task.value }
    #expect(sink.batches.map(\.count) == [1, 5])
    #expect(sink.batches.last?.map(\.changes) == waiting.map { [$0] })
    // Each of a client of its own, so that the hub can be asked about each.
    #expect(Set(sink.batches.last?.map(\.id.client) ?? []).count == 5)
    #expect(hub.rows(of: "parcel").count == 6)
  }

  @Test func numberOfWritesThatGoTogetherIsLimited() async throws {
    let sink = GatedSink(hub, isOpen: false)
    let sender = makeSender(sink)
    let count = 2 * MutationSender.batchLimit + 3
    let waiting = (1...count).map { Parcel.new(Int64($0)) }
    let tasks = try await queue(waiting, behind: Parcel.new(0), sender, sink)
    sink.open()
    for task in tasks { _ = try await task.value }
    let limit = MutationSender.batchLimit
    #expect(sink.batches.map(\.count) == [1, limit, limit, 3])
    // A client goes on with its next number.
    let clients = Set(sink.batches.flatMap { $0 }.map(\.id.client))
    #expect(clients.count == limit)
  }

  @Test func largeWritesDoNotGoTogether() async throws {
    let sink = GatedSink(hub, isOpen: false)
    let sender = makeSender(sink)
    func parcel(_ id: Int64, _ size: Int) -> RowMutation {
      let text = String(repeating: "x", count: size)
      return .insert(
        table: "parcel", values: ["id": .integer(id), "depot": 1, "state": .text(text)])
    }
    let limit = MutationBatchSize.byteLimit
    let waiting = [parcel(2, 2 * limit), parcel(3, limit / 2), parcel(4, 9), parcel(5, limit / 2)]
    let tasks = try await queue(waiting, behind: Parcel.new(1), sender, sink)
    sink.open()
    for task in tasks { _ = try await task.value }
    #expect(sink.batches.map(\.count) == [1, 1, 2, 1])
  }

  @Test func refusalIsThatOfItsWriteAlone() async throws {
    let sink = GatedSink(hub, isOpen: false)
    let sender = makeSender(sink)
    let tasks = try await queue(
      [Parcel.new(2), Parcel.new(1), Parcel.new(3)], behind: Parcel.new(1), sender, sink)
    sink.open()
    _ = try await tasks[1].value
    let error = await #expect(throws: HubError.self) { try await tasks[2].value }
    #expect(error?.rejection?.kind == .conflict)
    _ = try await tasks[3].value
    #expect(hub.rows(of: "parcel").map(\.first) == [.integer(1), .integer(2), .integer(3)])
  }

  @Test func cancelledWriteEndsAndTheOthersGoOn() async throws {
    let sink = GatedSink(hub, isOpen: false)
    let sender = makeSender(sink)
    let tasks = try await queue(
      [Parcel.new(2), Parcel.new(3), Parcel.new(4)], behind: Parcel.new(1), sender, sink)
    // One that waits is never sent.
    tasks[2].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[2].value }
    // Nobody waits for what is on its way: it is given up, and those behind it are sent.
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    try await eventually("the others are on their way") { sink.batches.count == 2 }
    // One of several on their way ends for its caller alone.
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    sink.open()
    _ = try await tasks[3].value
    #expect(sink.batches[1].map(\.changes) == [[Parcel.new(2)], [Parcel.new(4)]])
    #expect(hub.rows(of: "parcel").contains { $0.first == .integer(4) })
  }

  @Test func writesWhoseAnswersAreLostArePerformedOnceEach() async throws {
    hub.faults.lostAnswer = 0.2
    hub.faults.lostMutation = 0.2
    let sender = makeSender(GatedSink(hub, isOpen: true))
    try await withThrowingTaskGroup(of: MutationID.self) { group in
      for number in 1...60 as ClosedRange<Int64> {
        // A second time would be a conflict.
        group.addTask { try await sender.send([Parcel.new(number)]) }
      }
      try await group.waitForAll()
    }
    #expect(hub.rows(of: "parcel").count == 60)
  }

  @Test func hubThatLostItsClientsPerformsUnderOtherNames() async throws {
    let sink = GatedSink(hub, isOpen: false)
    let sender = makeSender(sink)
    let first = try await queue(
      [Parcel.new(2), Parcel.new(3)], behind: Parcel.new(1), sender, sink)
    sink.open()
    for task in first { _ = try await task.value }
    hub.restoreBackup(before: 3)
    #expect(hub.rows(of: "parcel").isEmpty)
    try await withThrowingTaskGroup(of: MutationID.self) { group in
      for number in 11...20 as ClosedRange<Int64> {
        group.addTask { try await sender.send([Parcel.new(number)]) }
      }
      try await group.waitForAll()
    }
    #expect(hub.rows(of: "parcel").count == 10)
  }
}
