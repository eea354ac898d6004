import Foundation

/// What a run of a program wrote, and how it ended.
///
/// Foundation's `Process` gives children that start at one time each other's pipes, so that each
/// seems to end with the slowest, and looks for the end 20 times a second. This starts them by
/// itself.
struct ProgramRun {
  let output: Data
  let errors: Data
  /// The exit code, or the signal that ended it.
  let code: Int32
  /// Whether it exited by itself: neither by a signal nor by the limit of time.
  let hasExited: Bool

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: Its arguments.
  ///   - input: What it reads from standard input.
  ///   - environment: What is added to the environment.
  ///   - folder: The folder it runs in; that of the tests without one.
  ///   - limit: After how many seconds it is killed.
  /// - Throws: Where it cannot be started.
  init(
    _ path: String, _ arguments: [String], input: Data = Data(),
    environment: [String: String] = [:], in folder: URL? = nil, limit: Double = 300
  ) throws {
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let words = folder.map { ["/usr/bin/env", "-C", $0.path, path] } ?? [path]
    let (source, output, errors, child) = try Self.starting.withLock {
      let (source, output, errors) = (try OpenPipe(), try OpenPipe(), try OpenPipe())
      let child = try Self.start(
        words + arguments, variables.map { "\($0.key)=\($0.value)" },
        descriptors: [source.reader, output.writer, errors.writer])
      return (source, output, errors, child)
    }
    source.closeReader()
    output.closeWriter()
    errors.closeWriter()
    let end = DispatchTime.now() + limit
    (self.output, self.errors) = Self.exchange(
      input, to: source, with: [output, errors], child: child, until: end)
    let status = Self.wait(for: child, until: end)
    hasExited = status & 0x7F == 0
    code = hasExited ? (status >> 8) & 0xFF : status & 0x7F
  }

  /// Held while pipes are made, so that no child is started before they are marked.
  private static let starting = NSLock()

  private static func start(
    _ arguments: [String], _ environment: [String], descriptors: [Int32]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tests ignore closed pipes; their children decide for themselves.
    signal(SIGPIPE, SIG_IGN)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, arguments[0], &actions, &attributes, &words, &variables)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
    return child
  }

  /// Writes the input and reads both outputs as they come, so that no pipe fills up.
  private static func exchange(
    _ input: Data, to source: OpenPipe, with outputs: [OpenPipe], child: pid_t,
    until end: DispatchTime
  ) -> (Data, Data) {
    var gathered = [Data(), Data()]
    var rest = input[...]
    _ = fcntl(source.writer, F_SETFL, O_NONBLOCK)
    if rest.isEmpty { source.closeWriter() }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while outputs.contains(where: { $0.reader >= 0 }) {
      // poll() leaves out what has a negative number.
      var requests = outputs.map { pollfd(fd: $0.reader, events: Int16(POLLIN), revents: 0) }
      requests.append(pollfd(fd: source.writer, events: Int16(POLLOUT), revents: 0))
      if poll(&requests, nfds_t(requests.count), timeout(until: end)) == 0 { kill(child, SIGKILL) }
      for (number, pipe) in outputs.enumerated() where requests[number].revents != 0 {
        let count = read(pipe.reader, &buffer, buffer.count)
        if count > 0 { gathered[number].append(contentsOf: buffer[..<count]) }
        if count == 0 { pipe.closeReader() }
      }
      if requests[2].revents != 0 {
        let count = rest.withUnsafeBytes { write(source.writer, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        // Whoever does not read to the end has its reasons.
        if rest.isEmpty || (count < 0 && errno == EPIPE) { source.closeWriter() }
      }
    }
    return (gathered[0], gathered[1])
  }

  /// How long to wait, in milliseconds; without end where the child was killed already.
  private static func timeout(until end: DispatchTime) -> Int32 {
    let now = DispatchTime.now()
    return now > end ? 1000 : Int32((end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000) + 1
  }

  private static func wait(for child: pid_t, until end: DispatchTime) -> Int32 {
    var status: Int32 = 0
    // Both outputs are closed, so the end is near.
    while waitpid(child, &status, WNOHANG) == 0 {
      if DispatchTime.now() > end { kill(child, SIGKILL) }
      usleep(500)
    }
    return status
  }
}

/// A pipe whose ends no child inherits by accident.
private final class OpenPipe {
  /// The ends; negative when they are closed.
  private(set) var reader: Int32
  private(set) var writer: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    closeReader()
    closeWriter()
  }

  func closeReader() {
    if reader >= 0 { close(reader) }
    reader = -1
  }

  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
  }
}
