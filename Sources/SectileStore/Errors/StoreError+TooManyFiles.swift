#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension StoreError {
  /// Whether this process, or the system, can open no further file: SQLite says only that it could
  /// not.
  static var hasTooManyFiles: Bool {
    let descriptor = open("/", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return errno == EMFILE || errno == ENFILE
  }
}
