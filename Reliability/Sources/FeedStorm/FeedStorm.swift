import ArgumentParser

/// What `scripts/feed-storm` drives: a service with a feed, and many clients of it in one process.
@main
struct FeedStorm: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "FeedStorm", abstract: "A service with a feed, and clients that follow it.",
    subcommands: [ServeCommand.self, FollowCommand.self])
}
