import SectileCore
import Testing

@Suite struct LifecycleStateMachineTests {
  typealias Machine = LifecycleStateMachine

  struct Row: Sendable {
    let state: Machine.State
    let event: Machine.Event
    let action: Machine.Action
    let next: Machine.State
  }

  /// Every state × every event, for a cycle that belongs to the current epoch.
  static let table: [Row] = [
    Row(state: .idle, event: .began, action: .announce, next: .announcing),
    Row(state: .idle, event: .announced, action: .abandon, next: .idle),
    Row(state: .idle, event: .changed, action: .abandon, next: .idle),
    Row(state: .idle, event: .finished, action: .abandon, next: .idle),
    Row(state: .idle, event: .failed, action: .abandon, next: .idle),
    Row(state: .idle, event: .cancelled, action: .dropQueue, next: .stopped),
    Row(state: .idle, event: .resumed, action: .proceed, next: .idle),

    Row(state: .announcing, event: .began, action: .abandon, next: .announcing),
    Row(state: .announcing, event: .announced, action: .runStep, next: .loading),
    Row(state: .announcing, event: .changed, action: .abandon, next: .announcing),
    Row(state: .announcing, event: .finished, action: .abandon, next: .announcing),
    Row(state: .announcing, event: .failed, action: .abandon, next: .announcing),
    Row(state: .announcing, event: .cancelled, action: .dropQueue, next: .stopped),
    Row(state: .announcing, event: .resumed, action: .proceed, next: .announcing),

    Row(state: .loading, event: .began, action: .abandon, next: .loading),
    Row(state: .loading, event: .announced, action: .abandon, next: .loading),
    Row(state: .loading, event: .changed, action: .deliver, next: .loading),
    Row(state: .loading, event: .finished, action: .finish, next: .idle),
    Row(state: .loading, event: .failed, action: .fail, next: .idle),
    Row(state: .loading, event: .cancelled, action: .dropQueue, next: .stopped),
    Row(state: .loading, event: .resumed, action: .proceed, next: .loading),

    Row(state: .stopped, event: .began, action: .abandon, next: .stopped),
    Row(state: .stopped, event: .announced, action: .abandon, next: .stopped),
    Row(state: .stopped, event: .changed, action: .abandon, next: .stopped),
    Row(state: .stopped, event: .finished, action: .abandon, next: .stopped),
    Row(state: .stopped, event: .failed, action: .abandon, next: .stopped),
    Row(state: .stopped, event: .cancelled, action: .dropQueue, next: .stopped),
    Row(state: .stopped, event: .resumed, action: .proceed, next: .idle),
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

  @Test(arguments: table) func eventLeadsToActionAndState(_ row: Row) {
    var machine = Self.machine(in: row.state)
    #expect(machine.state == row.state)
    let action = machine.handle(row.event, epoch: machine.epoch)
    #expect(action == row.action)
    #expect(machine.state == row.next)
  }

  @Test(arguments: Machine.State.allCases)
  func eventsOfAnEarlierEpochAreAbandonedAndChangeNothing(_ state: Machine.State) {
    for event in [Machine.Event.began, .announced, .changed, .finished, .failed] {
      var machine = Self.machine(in: state)
      #expect(machine.handle(event, epoch: machine.epoch - 1) == .abandon)
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
