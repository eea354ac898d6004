import SectileCore
import Testing

@Suite struct LifecycleStateMachineTests {
  typealias Machine = LifecycleStateMachine

  struct Row: Sendable {
    let state: Machine.State
    let event: Machine.Event
    let goesOn: Bool
    let next: Machine.State
  }

  /// Every state × every event, for a cycle that belongs to the current epoch.
  static let table: [Row] = [
    Row(state: .idle, event: .began, goesOn: true, next: .announcing),
    Row(state: .idle, event: .announced, goesOn: false, next: .idle),
    Row(state: .idle, event: .changed, goesOn: false, next: .idle),
    Row(state: .idle, event: .finished, goesOn: false, next: .idle),
    Row(state: .idle, event: .failed, goesOn: false, next: .idle),
    Row(state: .idle, event: .cancelled, goesOn: true, next: .stopped),
    Row(state: .idle, event: .resumed, goesOn: true, next: .idle),

    Row(state: .announcing, event: .began, goesOn: false, next: .announcing),
    Row(state: .announcing, event: .announced, goesOn: true, next: .loading),
    Row(state: .announcing, event: .changed, goesOn: false, next: .announcing),
    Row(state: .announcing, event: .finished, goesOn: false, next: .announcing),
    Row(state: .announcing, event: .failed, goesOn: false, next: .announcing),
    Row(state: .announcing, event: .cancelled, goesOn: true, next: .stopped),
    Row(state: .announcing, event: .resumed, goesOn: true, next: .announcing),

    Row(state: .loading, event: .began, goesOn: false, next: .loading),
    Row(state: .loading, event: .announced, goesOn: false, next: .loading),
    Row(state: .loading, event: .changed, goesOn: true, next: .loading),
    Row(state: .loading, event: .finished, goesOn: true, next: .idle),
    Row(state: .loading, event: .failed, goesOn: true, next: .idle),
    Row(state: .loading, event: .cancelled, goesOn: true, next: .stopped),
    Row(state: .loading, event: .resumed, goesOn: true, next: .loading),

    Row(state: .stopped, event: .began, goesOn: false, next: .stopped),
    Row(state: .stopped, event: .announced, goesOn: false, next: .stopped),
    Row(state: .stopped, event: .changed, goesOn: false, next: .stopped),
    Row(state: .stopped, event: .finished, goesOn: false, next: .stopped),
    Row(state: .stopped, event: .failed, goesOn: false, next: .stopped),
    Row(state: .stopped, event: .cancelled, goesOn: true, next: .stopped),
    Row(state: .stopped, event: .resumed, goesOn: true, next: .idle),
  ]

  /// A machine that was led to a state by legal events.
  static func machine(in state: Machine.State) -> Machine {
    var machine = Machine()
    switch state {
    case .idle: break
    case .announcing: _ = machine.handle(.began, epoch: 0)
    case .loading:
      _ = machine.handle(.began, epoch: 0)
      _ = machine.handle(.announced, epoch: 0)
    case .stopped: _ = machine.handle(.cancelled, epoch: 0)
    }
    return machine
  }

  @Test func tableCoversEveryStateAndEvent() {
    #expect(Self.table.count == Machine.State.allCases.count * Machine.Event.allCases.count)
    #expect(
      Set(Self.table.map { [AnyHashable($0.state), AnyHashable($0.event)] }).count
        == Self.table.count)
  }

  @Test(arguments: table) func eventLeadsToAnswerAndState(_ row: Row) {
    var machine = Self.machine(in: row.state)
    #expect(machine.state == row.state)
    let goesOn = machine.handle(row.event, epoch: machine.epoch)
    #expect(goesOn == row.goesOn)
    #expect(machine.state == row.next)
  }

  @Test(arguments: Machine.State.allCases)
  func eventsOfAnEarlierEpochAreAbandonedAndChangeNothing(_ state: Machine.State) {
    for event in [Machine.Event.began, .announced, .changed, .finished, .failed] {
      var machine = Self.machine(in: state)
      let goesOn = machine.handle(event, epoch: machine.epoch - 1)
      #expect(!goesOn)
      #expect(machine.state == state)
    }
  }

  @Test func cancellingStartsANewEpoch() {
    var machine = Machine()
    #expect(machine.epoch == 0)
    _ = machine.handle(.cancelled, epoch: 0)
    _ = machine.handle(.cancelled, epoch: 0)
    #expect(machine.epoch == 2)
  }
}
