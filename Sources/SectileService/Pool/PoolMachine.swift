#if Service
  /// Decides what a pool opens, hands out and closes: it knows neither stores nor time.
  ///
  /// ```text
  ///            room                 opened                 last use ends
  ///   waiting ──────▶ opening ─────────────▶ in use ◀────────────────────▶ idle
  ///      ▲               │ failed                                           │ somebody waits:
  ///      │               ▼                                                  ▼ the oldest use goes
  ///      └─ asked for ─ gone ◀──────────────── closed ◀─────────────── closing
  /// ```
  ///
  /// Each event returns what is to be done, in this order. What is opening, open or closing has a
  /// place, and there are as many as the limit says. Names wait in the order in which they were
  /// asked for first. A name whose former resource is being closed waits for the end of that, so
  /// that there are never two of one name, but for one that was retired while it was in use. Names
  /// are told apart byte by byte, as files are.
  package struct PoolMachine<Resource: Sendable>: Sendable {
    /// Who waits for a resource.
    package typealias Ticket = Int
    /// A resource that was opened, is open, or is being closed.
    package typealias Place = Int

    /// What is to be done.
    package enum Action: Sendable {
      /// Open the resource of a name; ``didOpen(_:_:)`` follows.
      case open(Place, name: String)
      /// Close a resource, which nobody uses; ``didClose(_:)`` follows.
      case close(Place, Resource)
      /// Hand a resource to whoever waits; ``release(_:)`` follows.
      case grant(Ticket, Place, Resource)
      /// Tell whoever waits why there is none.
      case refuse(Ticket, Refusal)
      /// Everything is closed.
      case end
    }

    /// Why somebody gets no resource.
    package enum Refusal: Sendable {
      case closed
      case tooManyWait
      case cancelled
      case failed(any Error)
    }

    /// Swift takes some names for equal that have other bytes.
    private struct Name: Hashable {
      let text: String

      init(_ text: String) { self.text = text }

      static func == (left: Name, right: Name) -> Bool {
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
      }

      // Texts that are equal have one hash, those with other bytes among them.
      func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    private enum Phase {
      case opening([Ticket])
      case open(Resource, useCount: Int, lastUse: Int)
      case closing
    }

    private struct Entry {
      let name: Name
      var phase: Phase
      var isRetired = false
    }

    private let limit: Int
    private let waitingLimit: Int
    private var entries: [Place: Entry] = [:]
    /// Where a name leads to: what is opening or open, and not retired.
    private var places: [Name: Place] = [:]
    /// The names that wait for a place, in order, and who waits for them.
    private var queue: [Name] = []
    private var waiting: [Name: [Ticket]] = [:]
    /// How many resources of a name are being closed.
    private var closing: [Name: Int] = [:]
    private var closingCount = 0
    private var lastPlace = 0
    private var lastUse = 0
    private var isClosed = false

    /// Creates a machine.
    ///
    /// - Parameters:
    ///   - limit: How many places there are, one at least.
    ///   - waitingLimit: How many may wait for a place.
    package init(limit: Int, waitingLimit: Int) {
      (self.limit, self.waitingLimit) = (max(1, limit), max(0, waitingLimit))
    }

    /// How many places are taken.
    package var placeCount: Int { entries.count }
    /// How many resources are in use.
    package var inUseCount: Int { entries.values.count(where: { Self.useCount($0.phase) > 0 }) }
    /// How many wait for a place, or for something that is being opened.
    package private(set) var waitingCount = 0

    // MARK: Events

    /// Somebody wants the resource of a name.
    package mutating func acquire(_ text: String, for ticket: Ticket) -> [Action] {
      guard !isClosed else { return [.refuse(ticket, .closed)] }
      let name = Name(text)
      if let place = places[name], let phase = entries[place]?.phase {
        switch phase {
        case .opening(let tickets):
          waitingCount += 1
          entries[place]?.phase = .opening(tickets + [ticket])
          return []
        case .open(let resource, let useCount, let lastUse):
          entries[place]?.phase = .open(resource, useCount: useCount + 1, lastUse: lastUse)
          return [.grant(ticket, place, resource)]
        case .closing: break
        }
      }
      // Where there is room, nobody waits for long.
      guard waitingCount < waitingLimit || entries.count < limit || leastRecentlyUsed != nil else {
        return [.refuse(ticket, .tooManyWait)]
      }
      waitingCount += 1
      if waiting[name] == nil { queue.append(name) }
      waiting[name, default: []].append(ticket)
      return balance()
    }

    /// Somebody does not wait any more.
    package mutating func cancel(_ ticket: Ticket, of text: String) -> [Action] {
      let name = Name(text)
      if let place = waiting[name]?.firstIndex(of: ticket) {
        waiting[name]?.remove(at: place)
        if waiting[name]?.isEmpty == true {
          waiting[name] = nil
          if let position = queue.firstIndex(of: name) { queue.remove(at: position) }
        }
      } else if let place = places[name], case .opening(var tickets)? = entries[place]?.phase,
        let position = tickets.firstIndex(of: ticket)
      {
        tickets.remove(at: position)
        entries[place]?.phase = .opening(tickets)
      } else {
        return []
      }
      waitingCount -= 1
      return [.refuse(ticket, .cancelled)]
    }

    /// A resource was opened, or could not be.
    package mutating func didOpen(
      _ place: Place, _ result: Result<Resource, any Error>
    ) -> [Action] {
      guard let entry = entries[place], case .opening(let tickets) = entry.phase else { return [] }
      waitingCount -= tickets.count
      switch result {
      case .success(let resource):
        lastUse += 1
        entries[place]?.phase = .open(resource, useCount: tickets.count, lastUse: lastUse)
        let grants = tickets.map { Action.grant($0, place, resource) }
        return grants + (isClosed ? closeIdle(keeping: 0) : balance())
      case .failure(let error):
        entries[place] = nil
        places[entry.name] = nil
        return tickets.map { .refuse($0, .failed(error)) } + balance()
      }
    }

    /// Somebody does not use a resource any more.
    package mutating func release(_ place: Place) -> [Action] {
      guard case .open(let resource, let useCount, _)? = entries[place]?.phase, useCount > 0 else {
        return []
      }
      lastUse += 1
      entries[place]?.phase = .open(resource, useCount: useCount - 1, lastUse: lastUse)
      guard useCount == 1 else { return [] }
      if isClosed || entries[place]?.isRetired == true { return close(place) }
      return balance()
    }

    /// A resource is closed.
    package mutating func didClose(_ place: Place) -> [Action] {
      guard let entry = entries[place], case .closing = entry.phase else { return [] }
      entries[place] = nil
      closingCount -= 1
      let others = (closing[entry.name] ?? 1) - 1
      closing[entry.name] = others > 0 ? others : nil
      return balance()
    }

    /// The resource of a name is not handed out any more: who asks from now on gets a new one.
    ///
    /// One that is being opened is new by itself.
    package mutating func retire(_ text: String) -> [Action] {
      places[Name(text)].map { retire(at: $0) } ?? []
    }

    /// The same, of one resource.
    package mutating func retire(at place: Place) -> [Action] {
      guard let entry = entries[place], case .open(_, let useCount, _) = entry.phase,
        places[entry.name] == place
      else { return [] }
      places[entry.name] = nil
      entries[place]?.isRetired = true
      return useCount == 0 ? close(place) : []
    }

    /// Resources that nobody uses are closed, those used longest ago first.
    ///
    /// - Parameter count: How many of them stay open.
    /// - Returns: What to do.
    package mutating func closeIdle(keeping count: Int) -> [Action] {
      let idle = entries.compactMap { place, entry -> (place: Place, lastUse: Int)? in
        guard case .open(_, useCount: 0, let lastUse) = entry.phase else { return nil }
        return (place, lastUse)
      }
      let old = idle.sorted { $0.lastUse < $1.lastUse }.dropLast(max(0, count))
      return old.flatMap { close($0.place) }
    }

    /// Everything is closed as soon as nobody uses it, and nothing is opened any more.
    package mutating func close() -> [Action] {
      isClosed = true
      var tickets = queue.flatMap { waiting[$0] ?? [] }
      (queue, waiting) = ([], [:])
      for (place, entry) in entries {
        guard case .opening(let others) = entry.phase else { continue }
        tickets += others
        entries[place]?.phase = .opening([])
      }
      waitingCount = 0
      return tickets.map { .refuse($0, .closed) } + closeIdle(keeping: 0) + end
    }

    // MARK: What follows

    /// Opens what waits as far as there are places, and closes what is idle for the rest.
    private mutating func balance() -> [Action] {
      var actions: [Action] = []
      while !queue.isEmpty {
        if entries.count < limit {
          guard let position = queue.firstIndex(where: { closing[$0] == nil }) else { break }
          let name = queue.remove(at: position)
          actions.append(open(name))
        } else {
          // For each that waits, one is closed.
          guard closingCount < queue.count, let place = leastRecentlyUsed else { break }
          actions += close(place)
        }
      }
      return actions + end
    }

    private mutating func open(_ name: Name) -> Action {
      lastPlace += 1
      entries[lastPlace] = Entry(name: name, phase: .opening(waiting[name] ?? []))
      waiting[name] = nil
      places[name] = lastPlace
      return .open(lastPlace, name: name.text)
    }

    private mutating func close(_ place: Place) -> [Action] {
      guard let entry = entries[place], case .open(let resource, useCount: 0, _) = entry.phase
      else { return [] }
      entries[place]?.phase = .closing
      if places[entry.name] == place { places[entry.name] = nil }
      closing[entry.name, default: 0] += 1
      closingCount += 1
      return [.close(place, resource)]
    }

    private var end: [Action] { isClosed && entries.isEmpty ? [.end] : [] }

    /// What nobody uses, and was used longest ago.
    ///
    /// - Complexity: O(*n*) for *n* places, which is little beside opening a file.
    private var leastRecentlyUsed: Place? {
      var oldest: (place: Place, lastUse: Int)?
      for (place, entry) in entries {
        guard case .open(_, useCount: 0, let lastUse) = entry.phase else { continue }
        if oldest.map({ lastUse < $0.lastUse }) ?? true { oldest = (place, lastUse) }
      }
      return oldest?.place
    }

    private static func useCount(_ phase: Phase) -> Int {
      if case .open(_, let useCount, _) = phase { useCount } else { 0 }
    }
  }
#endif
