// Former names, for those who used them before the first release.

/// The former name of ``HubControlRecords``.
@available(*, deprecated, renamed: "HubControlRecords")
public typealias HubNotices = HubControlRecords

/// The former name of ``MutationResult``.
@available(*, deprecated, renamed: "MutationResult")
public typealias MutationOutcome = MutationResult

/// The former name of ``MutationReceipt``.
@available(*, deprecated, renamed: "MutationReceipt")
public typealias MutationRecord = MutationReceipt

/// The former name of ``ResumeDecision``.
@available(*, deprecated, renamed: "ResumeDecision")
public typealias TokenVerdict = ResumeDecision

/// The former name of ``WriteAcknowledgement``.
@available(*, deprecated, renamed: "WriteAcknowledgement")
public typealias WriteCompletion = WriteAcknowledgement

extension HubSnapshot {
  /// The former name of ``HubSnapshot/controlRecords``.
  @available(*, deprecated, renamed: "controlRecords")
  public var notices: HubControlRecords { controlRecords }
}

extension HubTransaction {
  /// The former name of ``HubTransaction/controlRecords``.
  @available(*, deprecated, renamed: "controlRecords")
  public var notices: HubControlRecords {
    get { controlRecords }
    set { controlRecords = newValue }
  }
}
