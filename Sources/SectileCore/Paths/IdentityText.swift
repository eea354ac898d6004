/// Identities as they are printed: an identity that is an optional prints as what it wraps.
package enum IdentityText {
  /// Returns `5` for `5` and for `Optional(5)`, and `nil` for nil.
  package static func text(of id: some Any) -> String {
    if let optional = id as? any OptionalIdentity { return optional.identityText }
    return "\(id)"
  }
}

/// An identity that is an optional.
private protocol OptionalIdentity {
  var identityText: String { get }
}

extension Optional: OptionalIdentity {
  fileprivate var identityText: String {
    switch self {
    case .some(let wrapped): IdentityText.text(of: wrapped)
    case .none: "nil"
    }
  }
}
