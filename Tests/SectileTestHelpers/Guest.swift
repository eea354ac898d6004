/// An item that does something when its last reference goes.
package final class Guest: Identifiable, Equatable, Sendable {
  package let id: Int
  private let leave: @Sendable () -> Void

  package init(_ id: Int, leave: @escaping @Sendable () -> Void) {
    self.id = id
    self.leave = leave
  }

  deinit { leave() }

  package static func == (left: Guest, right: Guest) -> Bool { left.id == right.id }
}
