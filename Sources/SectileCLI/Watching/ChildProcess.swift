internal import Glibc

/// A command of the shell that this process has started and waits for.
///
/// Signals are back at their defaults in it, so that a closed pipe ends it. It leads a process
/// group of its own: what it has started ends with it. Hence Ctrl-C does not reach it by itself.
struct ChildProcess: Sendable {
  /// How a process ended.
  enum Status: CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    var isSuccess: Bool { if case .exited(0) = self { true } else { false } }

    var description: String {
      switch self {
      case .exited(let code): "ended with code \(code)"
      case .killed(let signal): "was ended by signal \(signal)"
      }
    }
  }

  /// The way to a child's standard input.
  struct Input {
    let output: Output
    fileprivate let descriptor: Int32

    /// Tells the child that nothing follows.
    func close() {
      _ = Glibc.close(descriptor)
    }
  }

  private let id: pid_t

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - command: What `/bin/sh -c` gets.
  ///   - environment: What is added to the environment.
  /// - Returns: The process, and its standard input, to be closed by the caller.
  /// - Throws: ``CommandFailure`` where it cannot be started.
  static func shell(
    _ command: String, environment: [String: String]
  ) throws -> (ChildProcess, Input) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { _ = Glibc.close(ends[0]) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    var id: pid_t = 0
    let code = withStrings(["sh", "-c", command]) { arguments in
      withStrings(merged(environment)) { variables in
        posix_spawn(&id, "/bin/sh", &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else {
      _ = Glibc.close(ends[1])
      throw failure(code)
    }
    return (ChildProcess(id: id), Input(output: Output(descriptor: ends[1]), descriptor: ends[1]))
  }

  /// Asks the process, and what it has started, to end; only before ``reap()``.
  func terminate() {
    Glibc.kill(-id, SIGTERM)
  }

  /// Ends the process, and what it has started; only before ``reap()``.
  func kill() {
    Glibc.kill(-id, SIGKILL)
  }

  /// Waits until the process has ended, and leaves its number taken.
  func awaitEnd() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
  }

  /// Returns how the process ended, and gives its number free.
  func reap() -> Status {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    // What the macros WIFEXITED and its like do, which Swift does not import.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  private static func failure(_ code: Int32) -> CommandFailure {
    CommandFailure(.inputOutput, "cannot run /bin/sh: \(String(cString: strerror(code)))")
  }

  /// This process's environment with some variables added, as `NAME=value`.
  private static func merged(_ added: [String: String]) -> [String] {
    var variables: [String] = []
    var next = environ
    while let entry = next.pointee {
      let variable = String(cString: entry)
      let name = String(variable.prefix { $0 != "=" })
      if added[name] == nil { variables.append(variable) }
      next += 1
    }
    return variables + added.map { "\($0.key)=\($0.value)" }
  }

  /// Calls a closure with an array of C strings that ends with nil.
  private static func withStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
