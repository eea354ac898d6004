/// Says why a text is not a ``SectionDiagram``.
public struct SectionDiagramError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, quoting the text.
  public let message: String

  init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
