/// An identity as the key of a dictionary or set: where Swift finds two texts equal that have other
/// bytes, they are two keys, as they are to SQLite.
///
/// ```swift
/// "\u{E9}" == "e\u{301}"                              // true: canonical equivalence
/// IdentityKey("\u{E9}") == IdentityKey("e\u{301}")    // false: other bytes
/// ```
///
/// So a table may have a row for each, and whoever keeps its rows by identity must not take the one
/// for the other. The same holds for identities that contain texts: optionals, structures, arrays,
/// enumerations. What a type's own `==` does beyond that stands: identities that it calls different
/// are different, and one that ignores case or a property goes on ignoring it.
///
/// - Complexity: As hashing and comparing the identity itself where that is a text or holds no
///   reference. Other identities that are equal are compared once more: by memory, and where that
///   differs by their texts, found by reflection unless the type is a ``ByteIdentity``.
@usableFromInline
package struct IdentityKey<ID: Hashable>: Hashable {
  /// The identity.
  @usableFromInline package let id: ID

  @inlinable @inline(__always)
  package init(_ id: ID) { self.id = id }

  @inlinable
  package static func == (left: IdentityKey, right: IdentityKey) -> Bool {
    areEqual(left.id, right.id)
  }

  @inlinable
  package func hash(into hasher: inout Hasher) { Self.hash(id, into: &hasher) }

  /// Returns whether two identities are one key.
  ///
  /// Where the type is known at run time only, making a key of each identity would cost more than
  /// comparing them.
  @inlinable @inline(__always)
  package static func areEqual(_ left: ID, _ right: ID) -> Bool {
    if ID.self == String.self, let left = left as? String, let right = right as? String {
      return StoredValue.haveSameBytes(left, right)
    }
    // A value without references holds no text.
    return left == right && (_isPOD(ID.self) || TextBytes.agreeInEqualValues(left, right))
  }

  /// Feeds an identity to a hasher, as its key does.
  @inlinable @inline(__always)
  package static func hash(_ id: ID, into hasher: inout Hasher) {
    if ID.self == String.self, var text = id as? String {
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    } else {
      id.hash(into: &hasher)
    }
  }
}

extension IdentityKey: Sendable where ID: Sendable {}

/// A type whose `==` compares all texts by their bytes, so that it need not be looked into.
package protocol ByteIdentity {}

extension StoredValue: ByteIdentity {}

/// Compares the texts in values that are equal.
@usableFromInline
package enum TextBytes {
  /// Returns whether texts in two equal values that Swift finds equal have the same bytes too.
  @usableFromInline
  package static func agreeInEqualValues<Value>(_ left: Value, _ right: Value) -> Bool {
    let haveSameMemory = withUnsafeBytes(of: left) { left in
      withUnsafeBytes(of: right) { left.elementsEqual($0) }
    }
    return haveSameMemory || Value.self is any ByteIdentity.Type || agree(left, right)
  }

  private static func agree(_ left: Any, _ right: Any) -> Bool {
    if left is any ByteIdentity { return true }
    if let left = left as? String, let right = right as? String {
      return left != right || StoredValue.haveSameBytes(left, right)
    }
    if let left = left as? Substring, let right = right as? Substring {
      return left != right || left.utf8.elementsEqual(right.utf8)
    }
    if let left = left as? Character, let right = right as? Character {
      return left != right || left.utf8.elementsEqual(right.utf8)
    }
    let (left, right) = (Mirror(reflecting: left), Mirror(reflecting: right))
    // An object may be reached from itself.
    if left.displayStyle == .class { return true }
    return zip(left.children, right.children).allSatisfy { agree($0.value, $1.value) }
  }
}
