/// One line of a text file, without its line break.
///
/// A line is identified by its text, and by how many lines of the same text come before it. So a
/// line keeps its identity when lines are inserted, removed or changed elsewhere: a line inserted
/// in front is one insert. Of several lines of the same text, those count as the same that have the
/// same number; which of them an editor took out cannot be told, and makes no difference to a
/// reader. A line whose text changes is another line.
///
/// Texts are compared by their UTF-8 bytes: the composed and the decomposed form of `é` make two
/// lines.
public struct FileLine: Identifiable, Hashable, Sendable {
  /// What identifies a line in its file.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The line's text.
    public let text: String
    /// How many lines of the same text come before it.
    public let occurrence: Int

    /// Creates an identity.
    public init(text: String, occurrence: Int) {
      self.text = text
      self.occurrence = occurrence
    }

    /// Returns whether two identities have the same bytes and the same number.
    public static func == (left: ID, right: ID) -> Bool {
      left.occurrence == right.occurrence && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the bytes and the number.
    public func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(occurrence)
    }

    /// The text, and its number where it is not the first.
    public var description: String { occurrence == 0 ? text : "\(text) (\(occurrence + 1))" }
  }

  /// What identifies the line in its file.
  public let id: ID

  /// Creates a line.
  public init(_ text: String, occurrence: Int = 0) {
    id = ID(text: text, occurrence: occurrence)
  }

  /// The line's text.
  public var text: String { id.text }
}
