internal import JobService

/// `jobs [DATABASE [OWN]]`: serves a file of jobs, with its own tables in it or in another file.
@main struct Jobs {
  static func main() async throws {
    let files = CommandLine.arguments.dropFirst()
    let database = files.first ?? "jobs.sqlite"
    let server = try await JobServer(database: database, own: files.dropFirst().first ?? database)
    try await server.run(port: 8080) { print("http://127.0.0.1:\($0)/jobs/events") }
  }
}
