public import SectileCore

/// The contents of a data source as one line of text.
///
/// Sections are separated by bars; each is a name, a colon and its items, separated by spaces:
///
/// ```swift
/// let before: SectionDiagram = "fruit: apple pear | veg: leek"
/// ```
///
/// An item is its identity, and after an equals sign its contents where they matter: `pear=ripe`. A
/// section's title follows its identity in parentheses where it differs: `veg(Vegetables): leek`.
/// Its aggregates stand behind it in brackets, texts among them in double quotes:
/// `veg[count=2 sum(size)=7]: leek kale`. The empty text is a source without sections. A name with
/// spaces or signs in it stands in double quotes, as in Swift: `novels: Emma "War and Peace"`.
///
/// ```swift
/// let diagram = try SectionDiagram(of: results) { "\($0.name)=\($0.version)" }
/// #expect(diagram == "net: curl=8.1 | shells: bash=5.2 zsh=5.9")
/// ```
public struct SectionDiagram: Hashable, Sendable {
  /// One item of a diagram.
  public struct Item: Hashable, Sendable, Identifiable {
    /// What identifies the item.
    public let id: String
    /// What else is known of the item; empty where nothing is.
    public let contents: String

    /// Creates an item.
    public init(id: String, contents: String = "") {
      self.id = id
      self.contents = contents
    }

    /// Creates an item from `id` or `id=contents`.
    public init(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      id = String(parts[0])
      contents = parts.count > 1 ? String(parts[1]) : ""
    }
  }

  /// One section of a diagram.
  public struct Section: Hashable, Sendable {
    /// What identifies the section.
    public let identity: String
    /// What a reader sees above it.
    public let title: String
    /// What is worked out from its items.
    public let aggregates: AggregateValues
    /// Its items, in order.
    public let items: [Item]

    /// Creates a section.
    public init(
      identity: String, title: String? = nil, aggregates: AggregateValues = .empty, items: [Item]
    ) {
      self.identity = identity
      self.title = title ?? identity
      self.aggregates = aggregates
      self.items = items
    }

    /// The section's header, with a text as its identity.
    public var header: SourceSection {
      SourceSection(identity: .text(identity), title: title, aggregates: aggregates)
    }
  }

  /// The sections, in order.
  public let sections: [Section]

  /// Creates a diagram of the given sections.
  public init(sections: [Section]) {
    self.sections = sections
  }
}

extension SectionDiagram: ExpressibleByStringLiteral {
  /// Creates a diagram from its text.
  ///
  /// - Precondition: The text is a diagram; see ``init(parsing:)``.
  public init(stringLiteral text: String) {
    do {
      try self.init(parsing: text)
    } catch {
      preconditionFailure(error.message)
    }
  }

  /// Creates a diagram from its text.
  ///
  /// - Throws: ``SectionDiagramError`` where a section has no colon, two sections or two items
  ///   share an identity, or what stands in brackets is not of the form `name=value`.
  public init(parsing text: String) throws(SectionDiagramError) {
    var sections: [Section] = []
    var names: Set<String> = []
    var items: Set<String> = []
    let isEmpty = text.allSatisfy(\.isWhitespace)
    for part in isEmpty ? [] : DiagramText.split(text[...], at: { $0 == "|" }) {
      let section = try Self.section(part)
      guard names.insert(section.identity).inserted else {
        throw SectionDiagramError("two sections are called “\(section.identity)” in “\(text)”")
      }
      for item in section.items where !items.insert(item.id).inserted {
        throw SectionDiagramError("two items are called “\(item.id)” in “\(text)”")
      }
      sections.append(section)
    }
    self.init(sections: sections)
  }

  private static func section(_ text: Substring) throws(SectionDiagramError) -> Section {
    let parts = DiagramText.split(text, at: { $0 == ":" }, most: 1)
    guard parts.count == 2 else {
      throw SectionDiagramError("the section “\(text)” has no colon after its name")
    }
    let items = DiagramText.split(parts[1], at: \.isWhitespace).filter { !$0.isEmpty }.map { text in
      let parts = DiagramText.split(text, at: { $0 == "=" }, most: 1).map(DiagramText.unquoted)
      return Item(id: parts[0], contents: parts.count > 1 ? parts[1] : "")
    }
    let (head, aggregates) = try DiagramText.aggregates(behind: DiagramText.trimmed(parts[0]))
    let open = DiagramText.split(head, at: { $0 == "(" }, most: 1)
    guard open.count == 2, head.hasSuffix(")") else {
      return Section(
        identity: DiagramText.unquoted(head), aggregates: aggregates, items: items)
    }
    return Section(
      identity: DiagramText.unquoted(DiagramText.trimmed(open[0])),
      title: DiagramText.unquoted(open[1].dropLast()), aggregates: aggregates, items: items)
  }
}

extension SectionDiagram: CustomStringConvertible {
  /// The diagram's text.
  public var description: String { sections.map(\.description).joined(separator: " | ") }
}

extension SectionDiagram.Section: CustomStringConvertible {
  /// The section's name, its aggregates and its items.
  public var description: String {
    var head = DiagramText.quoted(identity, as: .section)
    if title != identity { head += "(\(DiagramText.quoted(title, as: .section)))" }
    head += DiagramText.text(of: aggregates)
    return ([head + ":"] + items.map(\.description)).joined(separator: " ")
  }
}

extension SectionDiagram.Item: CustomStringConvertible {
  /// The item as `id` or `id=contents`.
  public var description: String {
    let name = DiagramText.quoted(id, as: .item)
    return contents.isEmpty ? name : "\(name)=\(DiagramText.quoted(contents, as: .contents))"
  }
}
