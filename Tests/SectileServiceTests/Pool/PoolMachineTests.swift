#if Service
  import SectileService
  import SectileTestSupport
  import Testing

  /// What a pool opens, hands out and closes, in any order of events.
  @Suite(.timeLimit(.minutes(60))) struct PoolMachineTests {
    @Test(arguments: SeededRandom.batches())
    func everyCourseEndsInOrder(seeds: Range<UInt64>) {
      for seed in seeds {
        var course = PoolCourse(seed: seed)
        if let mistake = course.run() { Issue.record("seed \(seed): \(mistake)") }
      }
    }

    @Test func tenThousandNamesNeedFiveHundredPlaces() {
      var course = PoolCourse(seed: 1, limit: 500, names: 10_000, steps: 6_000)
      if let mistake = course.run() { Issue.record("\(mistake)") }
      #expect(course.mostPlaces == 500)
    }

    @Test func twoWhoAskForOneNameShareIt() {
      var machine = PoolMachine<String>(limit: 2, waitingLimit: 10)
      guard case .open(let place, name: "a")? = machine.acquire("a", for: 1).first else {
        Issue.record("it is not opened")
        return
      }
      #expect(machine.acquire("a", for: 2).isEmpty)
      #expect(machine.waitingCount == 2)
      let grants = machine.didOpen(place, .success("A"))
      #expect(grants.count == 2)
      #expect(machine.inUseCount == 1 && machine.placeCount == 1 && machine.waitingCount == 0)
    }

    /// Swift takes the two for equal, and a file system does not.
    @Test func namesAreToldApartByTheirBytes() {
      var machine = PoolMachine<String>(limit: 2, waitingLimit: 10)
      var opened: [[UInt8]] = []
      for (ticket, name) in ["\u{E9}", "e\u{301}"].enumerated() {
        guard case .open(let place, let asked)? = machine.acquire(name, for: ticket).first else {
          Issue.record("it is not opened")
          return
        }
        opened.append(Array(asked.utf8))
        #expect(machine.didOpen(place, .success(name)).count == 1)
      }
      #expect(opened == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
      #expect(machine.placeCount == 2)
    }

    @Test func moreThanMayWaitAreRefused() {
      var machine = PoolMachine<String>(limit: 1, waitingLimit: 1)
      guard case .open(let place, name: "a")? = machine.acquire("a", for: 1).first else {
        Issue.record("it is not opened")
        return
      }
      _ = machine.didOpen(place, .success("A"))
      #expect(machine.acquire("b", for: 2).isEmpty)
      guard case .refuse(3, .tooManyWait)? = machine.acquire("c", for: 3).first else {
        Issue.record("it is not refused")
        return
      }
    }
  }

  /// A seed: tasks that come, are cancelled and go, and openings and closings that end at any time,
  /// some of them in failure.
  private struct PoolCourse {
    private struct Failed: Error {}
    private struct Use {
      let place: Int
      let resource: Int
    }

    private var random: SeededRandom
    private let limit: Int
    private let names: [String]
    private let steps: Int
    private var machine: PoolMachine<Int>
    private(set) var mostPlaces = 0
    private var lastTicket = 0
    private var lastResource = 0
    /// Who waits, and for what.
    private var waiting: [Int: String] = [:]
    private var uses: [Use] = []
    private var opening: [Int: String] = [:]
    private var closing: [Int: Int] = [:]
    /// What is open, or being closed.
    private var openNames: [Int: String] = [:]
    private var retired: Set<Int> = []
    private var isEnded = false
    private var mistake: String?

    init(seed: UInt64, limit: Int? = nil, names: Int = 8, steps: Int = 200) {
      var random = SeededRandom(seed: seed)
      self.limit = limit ?? Int.random(in: 1...4, using: &random)
      self.names = (0..<names).map { "tenant-\($0)" }
      self.steps = steps
      machine = PoolMachine(limit: self.limit, waitingLimit: 1_000_000)
      self.random = random
    }

    /// Returns what was wrong; nil where nothing was.
    mutating func run() -> String? {
      for _ in 0..<steps where mistake == nil { step() }
      let closesEarly = random.chance(0.5)
      if closesEarly { take(machine.close()) }
      // Nobody comes any more: whoever waits is served, or refused.
      while mistake == nil, !opening.isEmpty || !closing.isEmpty || !uses.isEmpty { settle() }
      if mistake == nil, !waiting.isEmpty { mistake = "\(waiting.count) wait for ever" }
      if !closesEarly {
        take(machine.close())
        while mistake == nil, !closing.isEmpty { settle() }
      }
      if mistake == nil, !isEnded || machine.placeCount > 0 { mistake = "it does not end" }
      guard case .refuse? = machine.acquire("late", for: 0).first else {
        return mistake ?? "a closed pool opens"
      }
      return mistake
    }

    private mutating func step() {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8:
        guard let name = names.randomElement(using: &random) else { return }
        lastTicket += 1
        waiting[lastTicket] = name
        take(machine.acquire(name, for: lastTicket))
      case 8:
        guard let ticket = waiting.keys.sorted().randomElement(using: &random),
          let name = waiting[ticket]
        else { return }
        take(machine.cancel(ticket, of: name))
        if waiting[ticket] != nil { mistake = "who is cancelled waits on" }
      case 9:
        guard let name = names.randomElement(using: &random) else { return }
        retired.formUnion(openNames.filter { $0.value == name }.keys)
        take(machine.retire(name))
      case 10: take(machine.closeIdle(keeping: Int.random(in: 0...2, using: &random)))
      default: settle()
      }
    }

    /// Ends an opening, a closing or a use.
    private mutating func settle() {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        guard let place = opening.keys.sorted().randomElement(using: &random),
          let name = opening.removeValue(forKey: place)
        else { return }
        guard random.chance(0.9) else { return take(machine.didOpen(place, .failure(Failed()))) }
        lastResource += 1
        let isTwice = openNames.contains { $0.value == name && !retired.contains($0.key) }
        if isTwice { mistake = "\(name) is open twice" }
        openNames[place] = name
        take(machine.didOpen(place, .success(lastResource)))
      case 1:
        guard let place = closing.keys.sorted().randomElement(using: &random) else { return }
        closing[place] = nil
        openNames[place] = nil
        take(machine.didClose(place))
      default:
        guard let number = uses.indices.randomElement(using: &random) else { return }
        take(machine.release(uses.remove(at: number).place))
      }
    }

    private mutating func take(_ actions: [PoolMachine<Int>.Action]) {
      for action in actions {
        switch action {
        case .open(let place, let name):
          if opening.values.contains(name) { mistake = "\(name) is opened twice" }
          opening[place] = name
        case .close(let place, let resource):
          if uses.contains(where: { $0.place == place }) { mistake = "what is in use is closed" }
          if closing.updateValue(resource, forKey: place) != nil { mistake = "it is closed twice" }
        case .grant(let ticket, let place, let resource):
          if waiting.removeValue(forKey: ticket) == nil { mistake = "who does not wait gets one" }
          if closing[place] != nil { mistake = "what is being closed is handed out" }
          if let other = uses.first(where: { $0.place == place }), other.resource != resource {
            mistake = "one place has two resources"
          }
          uses.append(Use(place: place, resource: resource))
        case .refuse(let ticket, _):
          if waiting.removeValue(forKey: ticket) == nil { mistake = "who does not wait is refused" }
        case .end: isEnded = true
        }
      }
      let count = opening.count + openNames.count
      mostPlaces = max(mostPlaces, count)
      if count > limit || machine.placeCount > limit { mistake = "there are \(count) places" }
      if machine.waitingCount != waiting.count { mistake = "it counts who waits in a wrong way" }
    }
  }
#endif
