import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// Random edits of parts, and of rows in them.
///
/// What the changesets add up to is what the list shows, and that is what the plainest means give.
/// One edit is one changeset, or none.
@Suite(.timeLimit(.minutes(60))) struct RandomPartsTests {
  typealias Contents = SectionedContents<Int, ModelRow>
  typealias Recorder = ChangeRecorder<PartItemID<String>, ModelRow>

  @Test(arguments: SeededRandom.batches(debug: 40, release: 600, of: 5))
  func followingEqualsReplayAndModel(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      let world = World(seed)
      if !world.run() { return }
    }
  }

  /// Edits that wait for a callback.
  private final class Edits: Sendable {
    typealias Edit = @Sendable (DataSourceList<String, ModelRow>) -> Void

    private let state = Mutex<[Edit]>([])

    func add(_ edit: @escaping Edit) { state.withLock { $0.append(edit) } }

    func takeAll() -> [Edit] {
      state.withLock { edits in
        defer { edits = [] }
        return edits
      }
    }
  }

  /// A list, and what it should show.
  private final class World {
    enum Source {
      case own(ContentsSource<Int, ModelRow>)
      /// The rows of a common source whose grade has a remainder.
      case shared(remainder: Int)
    }

    struct Part {
      let id: String
      let source: Source
      var title: String?
    }

    private var random: SeededRandom
    private let keepsEmptyParts: Bool
    private let list: DataSourceList<String, ModelRow>
    private let shared: ContentsSource<Int, ModelRow>
    private var contents: [ObjectIdentifier: Contents] = [:]
    private var sharedContents = Contents()
    private var parts: [Part] = []
    private var isLive = false
    private let recorder = Recorder()
    private let simulator = ListViewSimulator<PartItemID<String>, ModelRow>()
    private var tokens: [DataSourceObservation] = []
    /// What is yet to be done inside a callback.
    private let edits = Edits()
    /// A composition of the list and of what is in it.
    private let outer: AnyDataSource<ModelRow>
    private let outerRecorder = ChangeRecorder<AnyItemID, ModelRow>()

    init(_ seed: UInt64) {
      random = SeededRandom(seed: seed)
      keepsEmptyParts = random.chance(0.5)
      list = DataSourceList(name: "list", keepsEmptyParts: keepsEmptyParts)
      shared = ContentsSource(name: "shared")
      outer = .concatenating([AnyDataSource(list.filter { $0.grade != 5 }), AnyDataSource(shared)])
      list.delegate = recorder
      outer.delegate = outerRecorder
      let (list, simulator) = (list, simulator)
      tokens = [
        // Heard by the list's listeners in the middle of a change.
        list.observe { [weak list, edits] event in
          guard case .didPartiallyLoad = event, let list else { return }
          for edit in edits.takeAll() { edit(list) }
        },
        list.observe { [weak list] event in
          guard case .didPartiallyLoad(let changes) = event, let list else { return }
          #expect(simulator.perform(changes.batches, expecting: list.snapshot) == [])
        },
      ]
    }

    func run() -> Bool {
      if random.chance(0.5) { load() }
      for step in 0..<20 {
        let before = (lines(sections), recorder.changesets.count, outerRecorder.changesets.count)
        let action = act()
        let words = "step \(step), \(action), \(random)"
        if isLive, action == "callback" {
          #expect(outerRecorder.changesets.count - before.2 <= 3, "\(words)")
        } else if isLive, action != "load" {
          let isChanged = lines(sections) != before.0
          let made = recorder.changesets.count - before.1
          #expect(made == (isChanged ? 1 : 0), "\(words)")
          #expect(outerRecorder.changesets.count - before.2 <= 1, "\(words)")
        }
        check(words)
        if !recorder.violations.isEmpty { return false }
      }
      load()
      check("in the end, \(random)")
      return recorder.violations.isEmpty
    }

    // MARK: - Acting

    private func load() {
      outer.load()
      isLive = true
    }

    /// Does something, and returns what.
    private func act() -> String {
      do {
        switch Int.random(in: 0..<14, using: &random) {
        case 0:
          list.cancel()
          recorder.sourceWasCancelled()
          isLive = false
          return "cancel"
        case 1:
          load()
          return "load"
        case 2, 3, 4: return try add()
        case 5 where !parts.isEmpty, 6 where !parts.isEmpty:
          let number = Int.random(in: parts.indices, using: &random)
          let id = parts.remove(at: number).id
          try list.remove(part: id)
          return "remove \(id)"
        case 7 where !parts.isEmpty, 8 where !parts.isEmpty:
          return try move()
        case 9 where !parts.isEmpty:
          let number = Int.random(in: parts.indices, using: &random)
          parts[number].title = random.chance(0.3) ? nil : "title \(random.next() % 5)"
          try list.setTitle(parts[number].title, ofPart: parts[number].id)
          return "title \(parts[number].id)"
        case 10 where !parts.isEmpty: return try editInsideACallback()
        case 11:
          sharedContents = changed(sharedContents)
          shared.set(sharedContents)
          return "change shared"
        default: return change()
        }
      } catch {
        Issue.record("\(error), \(random)")
        return "fail"
      }
    }

    private func add() throws -> String {
      let id = "part \(random.next() % 6)"
      guard !parts.contains(where: { $0.id == id }) else { return change() }
      let place = Int.random(in: 0...parts.count, using: &random)
      let other = place == parts.count ? nil : parts[place].id
      let title = random.chance(0.5) ? "title" : nil
      if random.chance(0.3) {
        let remainder = Int.random(in: 0..<3, using: &random)
        let rows = shared.filter { $0.grade % 3 == remainder }
        try list.insert(rows, as: id, title: title, before: other)
        parts.insert(
          Part(id: id, source: .shared(remainder: remainder), title: title), at: place)
      } else {
        let source = ContentsSource<Int, ModelRow>(name: id)
        let initial = random.chance(0.7) ? changed(Contents()) : Contents()
        source.set(initial)
        contents[ObjectIdentifier(source)] = initial
        if random.chance(0.3) { source.load() }
        try list.insert(source, as: id, title: title, before: other)
        parts.insert(Part(id: id, source: .own(source), title: title), at: place)
      }
      return "add \(id)"
    }

    private func move() throws -> String {
      let number = Int.random(in: parts.indices, using: &random)
      let part = parts.remove(at: number)
      let place = Int.random(in: 0...parts.count, using: &random)
      try list.move(part: part.id, before: place == parts.count ? nil : parts[place].id)
      parts.insert(part, at: place)
      return "move \(part.id)"
    }

    /// Moves a part and removes another one while the list tells of a change, or after it if there
    /// is none.
    private func editInsideACallback() throws -> String {
      let moved = parts.remove(at: Int.random(in: parts.indices, using: &random))
      let place = Int.random(in: 0...parts.count, using: &random)
      let other = place == parts.count ? nil : parts[place].id
      parts.insert(moved, at: place)
      let id = moved.id
      edits.add { list in
        #expect(throws: Never.self) { try list.move(part: id, before: other) }
      }
      let removed = parts.remove(at: Int.random(in: parts.indices, using: &random)).id
      edits.add { list in
        #expect(throws: Never.self) { try list.remove(part: removed) }
      }
      sharedContents = changed(sharedContents)
      shared.set(sharedContents)
      for edit in edits.takeAll() { edit(list) }
      return "callback"
    }

    private func change() -> String {
      for part in parts.shuffled(using: &random) {
        guard case .own(let source) = part.source else { continue }
        let key = ObjectIdentifier(source)
        let next = random.chance(0.2) ? Contents() : changed(contents[key] ?? Contents())
        contents[key] = next
        source.set(next)
        return "change \(part.id)"
      }
      return "nothing"
    }

    /// Some sections have no identity.
    private func changed(_ contents: Contents) -> Contents {
      var before = contents
      for number in before.sections.indices where before.sections[number].header.identity == .null {
        before.sections[number].header = SourceSection(
          identity: .integer(0), title: before.sections[number].header.title)
      }
      var after = RandomCompositionTests.changed(before, &random)
      for number in after.sections.indices
      where after.sections[number].header.identity == .integer(0) {
        after.sections[number].header = SourceSection(
          identity: .null, title: after.sections[number].header.title)
      }
      return after
    }

    // MARK: - What it should show

    private var sections: [Contents.Section] {
      parts.flatMap { part -> [Contents.Section] in
        var sections: [Contents.Section]
        switch part.source {
        case .own(let source): sections = contents[ObjectIdentifier(source)]?.sections ?? []
        case .shared(let remainder):
          sections = sharedContents.sections.map { section in
            Contents.Section(
              header: section.header,
              rows: section.rows.filter { $0.item.grade % 3 == remainder })
          }.filter { !$0.rows.isEmpty }
        }
        if sections.isEmpty, keepsEmptyParts {
          sections = [Contents.Section(header: SourceSection(identity: .null, title: ""))]
        }
        return sections.map { section in
          var section = section
          let own = section.header
          section.header = SourceSection(
            identity: StoredValue(section: own.identity, ofPart: part.id),
            title: own.identity == .null ? part.title ?? own.title : own.title)
          return section
        }
      }
    }

    private func lines(_ sections: [Contents.Section]) -> [String] {
      sections.map { section in
        let rows = section.rows.map { "\($0.id)=\($0.item.number).\($0.item.grade)" }
        return "\(section.header.identity) \(section.header.title) \(rows)"
      }
    }

    private func check(_ words: String) {
      #expect(recorder.violations == [], "\(words)")
      #expect(outerRecorder.violations == [], "\(words)")
      #expect(recorder.verify(against: list) == [], "\(words)")
      #expect(outerRecorder.verify(against: outer) == [], "\(words)")
      #expect(!recorder.isLoading && !outerRecorder.isLoading, "\(words)")
      #expect(checkSnapshot(list.snapshot) == [], "\(words)")
      guard isLive else { return }
      let shown = (try? list.snapshot.materialized().sections) ?? []
      let found = shown.map { section in
        let rows = section.rows.map { "\($0.id.item)=\($0.item.number).\($0.item.grade)" }
        return "\(section.header.identity) \(section.header.title) \(rows)"
      }
      #expect(found == lines(sections), "\(words)")
      #expect(list.parts == parts.map(\.id), "\(words)")
    }
  }
}
