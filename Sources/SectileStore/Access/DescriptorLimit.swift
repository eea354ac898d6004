#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How many files this process may have open at a time.
package enum DescriptorLimit {
  /// The limit of the system as it is now (`ulimit -n`); nil where there is none.
  package static var count: Int? {
    let count = sysconf(Int32(_SC_OPEN_MAX))
    return count > 0 ? count : nil
  }
}
