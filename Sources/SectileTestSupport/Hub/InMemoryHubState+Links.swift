internal import SectileCore
internal import SectileHub

extension InMemoryHubState {
  static let lost = HubError(
    .unavailable, message: "The connection to the hub was lost", hint: "It is a fault of the test.")

  func checkReachable() throws(HubError) {
    if !isReachable { throw Self.lost }
  }

  /// What was said beside rows until now.
  var allControlRecords: HubControlRecords {
    HubControlRecords(
      outcomes: clients.values.compactMap { performed in
        performed.last.map { MutationReceipt($0.mutation.id, isApplied: $0.outcome == .applied) }
      },
      heartbeat: log.compactMap(\.controlRecords.heartbeat).last, schemaVersions: versions)
  }

  /// Keeps the log for a replica from here on, instead of what was kept.
  mutating func makeSlot(for replica: String) -> String {
    lastSlot += 1
    let name = "\(replica)_\(lastSlot)"
    slots[replica] = Slot(name: name, confirmed: position)
    return name
  }

  func verdict(on token: HubToken, of replica: String) -> ResumeDecision {
    if token.system != system { return .resync(.otherSystem) }
    if token.timeline != timeline { return .resync(.otherTimeline) }
    guard let slot = slots[replica], slot.name == token.slot else { return .resync(.slotMissing) }
    if let reason = slot.lostBecause { return .resync(.slotLost(reason)) }
    if token.position < slot.confirmed { return .resync(.behindSlot(confirmed: slot.confirmed)) }
    if token.position > position { return .resync(.aheadOfHub(position)) }
    if let mark = token.heartbeat,
      !log.contains(where: { $0.controlRecords.heartbeat?.mark == mark })
    {
      return .resync(.heartbeatUnknown)
    }
    return .resume
  }
}
