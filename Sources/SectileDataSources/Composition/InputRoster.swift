internal import SectileCore

/// The inputs of a composition at one time, in order, and the rule for them.
///
/// An input has a number, by which its news are told apart, and keeps it where others come, go and
/// move. Where that never happens the number is its place.
final class InputRoster<Rule: Composition>: Sendable {
  typealias Source = any DataSource<Rule.InputID, Rule.InputItem>

  /// Grows with each edit that a reader may see.
  let generation: Int
  /// The version of what the conductor shows, where there is one.
  let conductorVersion: Int
  let rule: Rule
  let numbers: [Int]
  let sources: [Source]
  /// The number of the next input.
  let nextNumber: Int

  /// Creates the roster that a composition begins with.
  init(_ rule: Rule, of sources: [Source]) {
    (generation, conductorVersion) = (0, 0)
    self.rule = rule
    numbers = Array(sources.indices)
    self.sources = sources
    nextNumber = sources.count
  }

  /// Creates the roster that a draft ends with.
  init(_ draft: RosterDraft<Rule>, after base: InputRoster) {
    generation = base.generation + (draft.isChanged ? 1 : 0)
    conductorVersion = draft.conductorVersion
    rule = draft.rule
    numbers = draft.numbers
    sources = draft.sources
    nextNumber = draft.nextNumber
  }

  /// Returns the place of an input, or nil where it is none any more.
  ///
  /// - Complexity: O(1) where no input ever moved or was removed, else O(*p*) for *p* inputs.
  func position(of number: Int) -> Int? {
    if numbers.indices.contains(number), numbers[number] == number { return number }
    return numbers.firstIndex(of: number)
  }

  func source(of number: Int) -> Source? { position(of: number).map { sources[$0] } }

  /// Returns what an error calls an input, and whether it has to.
  func name(of number: Int) -> (text: String, isNeeded: Bool) {
    guard let input = position(of: number) else { return ("", true) }
    if let name = rule.name(ofInput: input) { return (name, true) }
    return (sources[input].name, sources.count > 1)
  }
}

/// A roster that is being changed.
struct RosterDraft<Rule: Composition> {
  var rule: Rule
  var numbers: [Int]
  var sources: [InputRoster<Rule>.Source]
  var nextNumber: Int
  var conductorVersion: Int
  /// The inputs that came, those that went, and those that changed places or, where it is nil, may
  /// have.
  var added: Set<Int> = []
  var removed: Set<Int> = []
  var moved: Set<Int>? = []
  /// Whether there is anything for a reader to see.
  var isChanged = false

  init(_ roster: InputRoster<Rule>) {
    rule = roster.rule
    numbers = roster.numbers
    sources = roster.sources
    nextNumber = roster.nextNumber
    conductorVersion = roster.conductorVersion
  }

  /// Inserts an input.
  ///
  /// - Returns: Its number.
  mutating func insert(_ source: InputRoster<Rule>.Source, at position: Int) -> Int {
    let number = nextNumber
    nextNumber += 1
    numbers.insert(number, at: position)
    sources.insert(source, at: position)
    added.insert(number)
    isChanged = true
    return number
  }

  mutating func remove(at position: Int) {
    let number = numbers.remove(at: position)
    sources.remove(at: position)
    if added.remove(number) == nil { removed.insert(number) }
    isChanged = true
  }

  /// Moves an input to where another position points to once it is taken out.
  mutating func move(from position: Int, to target: Int) {
    guard position != target else { return }
    let number = numbers.remove(at: position)
    numbers.insert(number, at: target)
    sources.insert(sources.remove(at: position), at: target)
    moved?.insert(number)
    isChanged = true
  }

  /// Puts all inputs in an order.
  ///
  /// - Parameters:
  ///   - order: The numbers of all inputs.
  ///   - moved: Those that changed places; nil where that is not known.
  mutating func reorder(_ order: [Int], moved: [Int]?) {
    let places = Dictionary(
      uniqueKeysWithValues: numbers.enumerated().map { ($0.element, $0.offset) })
    sources = order.compactMap { places[$0].map { sources[$0] } }
    numbers = order
    // What came is put among the others, which does not move them.
    let moved = moved.map(Set.init)
    let stayed = order.filter { number in
      !added.contains(number) && !(moved?.contains(number) ?? true)
    }
    let areInOrder = zip(stayed, stayed.dropFirst()).allSatisfy {
      places[$0, default: 0] < places[$1, default: 0]
    }
    self.moved = areInOrder ? moved : nil
    isChanged = true
  }
}

/// A roster on its way to readers.
struct RosterEdit<Rule: Composition>: Sendable {
  let roster: InputRoster<Rule>
  /// The inputs that may have changed places; nil for all.
  let moved: Set<Int>?
  let hasAdditions: Bool
  /// Whether the edit is a part of the commit inside whose callback it was made.
  let followsCommit: Bool

  init(_ roster: InputRoster<Rule>, _ draft: RosterDraft<Rule>, followsCommit: Bool) {
    self.roster = roster
    self.followsCommit = followsCommit
    moved = draft.moved
    hasAdditions = !draft.added.isEmpty
  }
}
