import SectileCore

/// The changes that results of equal plans have in common, for the length of one transaction.
///
/// Results that show the same rows in the same order go through the same change: it is worked out
/// once, and where they are at the same version it is put into the terms of the items once.
final class SharedChanges {
  /// What was worked out, be it that nothing changes.
  final class Outcome {
    let planNumber: Int
    let itemType: ObjectIdentifier
    let change: PlanChange?
    /// The change in the terms of its items, and the version it leads from.
    var boxed: (changes: BoxedChanges?, source: Int)?

    init(planNumber: Int, itemType: ObjectIdentifier, change: PlanChange?) {
      self.planNumber = planNumber
      self.itemType = itemType
      self.change = change
    }
  }

  // Few plans are touched by one transaction, and most transactions touch one.
  private var outcomes: [Outcome] = []

  /// What results of a plan and a type of items have worked out.
  func outcome(_ planNumber: Int, _ itemType: ObjectIdentifier) -> Outcome? {
    outcomes.first { $0.planNumber == planNumber && $0.itemType == itemType }
  }

  /// Takes note of what was worked out.
  func add(_ outcome: Outcome) { outcomes.append(outcome) }
}
