#if Server
  internal import Sectile

  /// Looks at the file of a view again and again: as soon as somebody writes, and from time to
  /// time.
  ///
  /// After a look that took long, as one does that reads everything again, nothing is looked at for
  /// as long: so that a file that is written all the time costs half a processor at most. A file
  /// that nobody writes to is asked of the file system only.
  struct ViewWatch: Sendable {
    /// How far apart looks are at least: a commit is told several times, first when it is not
    /// complete yet.
    private static let distance = Duration.milliseconds(1)

    let view: LiveView

    /// How often versions are let go of where nothing has to be looked for.
    private static let pruning = Duration.seconds(1)

    /// Looks until the task is cancelled, or the view has to be opened anew: the file is another
    /// one, or its key tells rows no more apart.
    ///
    /// A store that is somebody else's looks by itself.
    func run() async {
      guard view.ownsStore else { return await prune() }
      let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let listening = view.store.listenForCommits { waker.yield() }
      defer { withExtendedLifetime(listening) {} }
      let ticks = Task { [view, interval = view.limits.interval] in
        while !Task.isCancelled {
          try await Task.sleep(for: interval)
          if view.isStill { view.edition.prune() } else { waker.yield() }
        }
      }
      defer { ticks.cancel() }
      for await _ in wakes {
        if view.isEnded || Task.isCancelled { return }
        let start = ContinuousClock.now
        do {
          try await view.look()
        } catch let error as StoreError where error.code == .fileReplaced {
          return
        } catch {
          // A lock of others goes away; what reading meets is told to those who follow.
        }
        // Opened anew, its rows may be told apart otherwise.
        if view.edition.isUndecodable { return }
        try? await Task.sleep(for: max(ContinuousClock.now - start, Self.distance))
      }
    }

    private func prune() async {
      while !Task.isCancelled, !view.isEnded {
        try? await Task.sleep(for: Self.pruning)
        view.edition.prune()
      }
    }
  }
#endif
