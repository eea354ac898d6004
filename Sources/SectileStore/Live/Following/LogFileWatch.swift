import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells that somebody has written to the write-ahead log of a file, through Linux's inotify.
///
/// It is a hint that comes at once, before the commit can be seen, and may get lost: whoever needs to know looks
/// from time to time as well. Writes of one's own are told, too. What becomes of other files in the folder is not.
final class LogFileWatch: Sendable {
  #if os(Linux)
    // Dispatch says of its objects that they may be used from any thread.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Watches the log of a file; nil where the system offers no further watch.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - queue: Where to call.
    ///   - wake: Called once for many writes.
    init?(of path: String, on queue: DispatchQueue, wake: @escaping @Sendable () -> Void) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let log = path + "-wal"
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { String(path[...$0]) } ?? "."
      let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
      let created = UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
      guard inotify_add_watch(descriptor, folder, created) >= 0 else {
        close(descriptor)
        return nil
      }
      // Adding it again changes nothing; it fails where there is no log yet.
      let watchLog: @Sendable () -> Void = {
        _ = inotify_add_watch(descriptor, log, UInt32(IN_MODIFY))
      }
      watchLog()
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        let told = Self.drain(descriptor, of: name)
        if told.isNew { watchLog() }
        if told.isNew || told.isWritten { wake() }
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
    }

    deinit { source.cancel() }

    /// Reads all events there are.
    ///
    /// - Parameters:
    ///   - descriptor: Where they come from.
    ///   - name: The name of the database.
    /// - Returns: Whether the log was written to, and whether a file came to be there whose name begins with that
    ///   of the database.
    private static func drain(
      _ descriptor: Int32, of name: String
    ) -> (isWritten: Bool, isNew: Bool) {
      var told = (isWritten: false, isNew: false)
      withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          guard count > 0 else { return }
          var offset = 0
          let size = MemoryLayout<inotify_event>.size
          while offset + size <= count {
            let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
            let end = offset + size + Int(event.len)
            // Without a name, it is about the log, or events were lost.
            if event.len == 0 {
              told.isWritten = true
            } else if buffer[(offset + size)..<min(end, count)].starts(with: name.utf8) {
              told.isNew = true
            }
            offset = end
          }
        }
      }
      return told
    }
  #else
    init?(of path: String, on queue: DispatchQueue, wake: @escaping @Sendable () -> Void) {
      return nil
    }
  #endif
}
