internal import ArgumentParser

/// Where a database lives.
enum Storage: String, CaseIterable, Codable, Sendable, ExpressibleByArgument {
  case memory
  case file
}
