internal import Glibc

/// What a command settles about its process before anything else.
enum ProcessStart {
  /// Turns what would end the process from outside into errors of the one call that meets them, and
  /// makes sure that no file of ours gets the number of a standard descriptor.
  static func prepare() {
    // A pipe that nobody reads, and a limit on the size of files (`ulimit -f`).
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // Looked up now, before anybody changes them.
    _ = StopSignal.signals
    openStandardDescriptors()
  }

  /// Puts something that can be neither read nor written in the place of a descriptor that whoever
  /// started the command has closed.
  ///
  /// Otherwise the next file that is opened, a database for one, would be standard output. It is
  /// the wrong way round, as glibc has it for programs with special rights: using it fails.
  private static func openStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // It gets the lowest free number, which is the one that is missing.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
