import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells that somebody has written to the write-ahead log of a file, through Linux's inotify.
///
/// It is a hint that comes at once, before the commit can be seen, and may get lost: whoever needs
/// to know looks from time to time as well. Writes of one's own are told, too. What becomes of
/// other files in the folder is not.
///
/// All watches of a process share one instance of inotify, of which the system has few: a user
/// has 128.
final class LogFileWatch: Sendable {
  #if os(Linux)
    private let number: Int

    /// Watches the log of a file; nil where the system offers no further watch.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - queue: Where to call.
    ///   - wake: Called once for many writes.
    init?(of path: String, on queue: DispatchQueue, wake: @escaping @Sendable () -> Void) {
      guard let number = WatchedFolders.shared?.watch(path, on: queue, wake) else { return nil }
      self.number = number
    }

    deinit { WatchedFolders.shared?.stop(number) }
  #else
    init?(of path: String, on queue: DispatchQueue, wake: @escaping @Sendable () -> Void) {
      return nil
    }
  #endif
}

#if os(Linux)
  /// The one instance of inotify of a process, and whom to tell what.
  ///
  /// Each log is watched for writes, and its folder for logs that come to be there.
  private final class WatchedFolders: Sendable {
    /// The instance; nil where the system has none left.
    ///
    /// It is asked again by whoever comes later.
    static var shared: WatchedFolders? {
      instance.withLock { instance in
        if instance == nil { instance = WatchedFolders() }
        return instance
      }
    }

    private static let instance = Mutex<WatchedFolders?>(nil)

    /// What SQLite puts behind the name of a database.
    private static let suffixes = ["-wal", "-journal", "-shm"]

    /// A file that may come to be there.
    private struct Place: Hashable {
      let folder: CInt
      /// The name of the database.
      let name: String
    }

    private struct Watch {
      let log: String
      let place: Place
      let queue: DispatchQueue
      let wake: @Sendable () -> Void
      /// What the system calls the watch of the log; nil where there is no log.
      var logDescriptor: CInt?
    }

    private struct State {
      var watches: [Int: Watch] = [:]
      var lastNumber = 0
      /// Who watches what the system calls so: several, where they are of one file.
      var byLog: [CInt: Set<Int>] = [:]
      var byPlace: [Place: Set<Int>] = [:]
      /// How many watch a folder.
      var folderCounts: [CInt: Int] = [:]
    }

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex; nobody is called under it.
    // - `source`: guarded by its mutex; kept as long as there is something to hear of.
    private let state = Mutex(State())
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "sectile.log-watch", qos: .utility)
    private let source: Mutex<any DispatchSourceRead>

    private init?() {
      descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      self.source = Mutex(source)
      self.source.withLock { source in
        source.setEventHandler { [weak self] in self?.drain() }
        source.activate()
      }
    }

    /// Watches the log of a database.
    ///
    /// - Returns: A number for ``stop(_:)``; nil where the system offers no further watch.
    func watch(
      _ path: String, on queue: DispatchQueue, _ wake: @escaping @Sendable () -> Void
    ) -> Int? {
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { String(path[...$0]) } ?? "."
      let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
      return state.withLock { state in
        // Adding it again changes nothing.
        let created = UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
        let folder = inotify_add_watch(descriptor, folder, created)
        guard folder >= 0 else { return nil }
        state.lastNumber += 1
        let number = state.lastNumber
        let place = Place(folder: folder, name: name)
        state.folderCounts[folder, default: 0] += 1
        state.byPlace[place, default: []].insert(number)
        state.watches[number] = Watch(
          log: path + "-wal", place: place, queue: queue, wake: wake, logDescriptor: nil)
        watchLog(number, &state)
        return number
      }
    }

    /// Watches the log that is there now, if there is one.
    private func watchLog(_ number: Int, _ state: inout State) {
      guard let log = state.watches[number]?.log else { return }
      let found = inotify_add_watch(descriptor, log, UInt32(IN_MODIFY))
      let former = state.watches[number]?.logDescriptor
      guard found != former ?? -1 else { return }
      if let former { unwatchLog(former, of: number, &state) }
      state.watches[number]?.logDescriptor = found >= 0 ? found : nil
      if found >= 0 { state.byLog[found, default: []].insert(number) }
    }

    private func unwatchLog(_ log: CInt, of number: Int, _ state: inout State) {
      state.byLog[log]?.remove(number)
      guard state.byLog[log]?.isEmpty == true else { return }
      state.byLog[log] = nil
      // It fails where the log is gone.
      inotify_rm_watch(descriptor, log)
    }

    /// Watches no more.
    func stop(_ number: Int) {
      // Released outside: a closure may hold what stops watching when it goes.
      let watch = state.withLock { state -> Watch? in
        guard let watch = state.watches.removeValue(forKey: number) else { return nil }
        if let log = watch.logDescriptor { unwatchLog(log, of: number, &state) }
        let (place, folder) = (watch.place, watch.place.folder)
        state.byPlace[place]?.remove(number)
        if state.byPlace[place]?.isEmpty == true { state.byPlace[place] = nil }
        state.folderCounts[folder, default: 1] -= 1
        if state.folderCounts[folder] == 0 {
          state.folderCounts[folder] = nil
          inotify_rm_watch(descriptor, folder)
        }
        return watch
      }
      withExtendedLifetime(watch) {}
    }

    // MARK: On the queue

    /// Reads all events there are, and tells who waits for them, each once.
    private func drain() {
      var told: [Int: Watch] = [:]
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          guard count > 0 else { return }
          state.withLock { state in
            for number in take(UnsafeRawBufferPointer(buffer)[..<count], &state) {
              told[number] = state.watches[number]
            }
          }
        }
      }
      for watch in told.values { watch.queue.async(execute: watch.wake) }
    }

    private func take(_ events: Slice<UnsafeRawBufferPointer>, _ state: inout State) -> Set<Int> {
      var told: Set<Int> = []
      var offset = events.startIndex
      let size = MemoryLayout<inotify_event>.size
      while offset + size <= events.endIndex {
        let event = events.base.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = min(offset + size + Int(event.len), events.endIndex)
        let name = events.base[(offset + size)..<end].prefix { $0 != 0 }
        offset = end
        if event.wd < 0 {
          // Events were lost.
          told.formUnion(state.watches.keys)
        } else if event.mask & UInt32(IN_IGNORED) != 0 {
          forget(event.wd, &state)
        } else if name.isEmpty {
          told.formUnion(state.byLog[event.wd] ?? [])
        } else {
          told.formUnion(arrived(String(decoding: name, as: UTF8.self), in: event.wd, &state))
        }
      }
      return told
    }

    /// Watches a log that has come to be there, and returns who waits for it.
    private func arrived(_ name: String, in folder: CInt, _ state: inout State) -> Set<Int> {
      var told = state.byPlace[Place(folder: folder, name: name)] ?? []
      for suffix in Self.suffixes where name.hasSuffix(suffix) {
        let database = String(name.dropLast(suffix.count))
        told.formUnion(state.byPlace[Place(folder: folder, name: database)] ?? [])
      }
      for number in told { watchLog(number, &state) }
      return told
    }

    /// Takes note that the system has ended a watch: the file is gone.
    private func forget(_ gone: CInt, _ state: inout State) {
      for number in state.byLog.removeValue(forKey: gone) ?? [] {
        // It may be that of another log by now.
        if state.watches[number]?.logDescriptor == gone {
          state.watches[number]?.logDescriptor = nil
        }
      }
    }
  }
#endif
