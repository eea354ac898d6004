#if Postgres
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// Ends the waiting of a connection from outside: a pipe beside its socket.
  final class Waker: Sendable {
    /// What becomes readable.
    let reader: Int32
    private let writer: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      (reader, writer) = (ends[0], ends[1])
    }

    deinit {
      close(reader)
      close(writer)
    }

    /// Wakes who waits, now or the next time.
    func wake() {
      var byte: UInt8 = 1
      // A full pipe wakes as well.
      _ = write(writer, &byte, 1)
    }

    /// Takes out what woke.
    func drain() {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(reader, &bytes, bytes.count) > 0 {}
    }
  }

  /// One use of a connection, which its task may cancel.
  final class ConnectionCall: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func cancel() { flag.store(true, ordering: .releasing) }
  }
#endif
