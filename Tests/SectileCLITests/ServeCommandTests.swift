import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// `sectile serve` as a program: what it prints, and how it ends.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ServeCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      "CREATE TABLE job (id INTEGER PRIMARY KEY, state TEXT); INSERT INTO job VALUES (1, 'done')",
      in: folder)
  }

  @Test func helpSaysThatNobodyWritesOnPurpose() throws {
    let run = try CommandRun(["serve", "--help"])
    #expect(run.code == 0)
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("there is no --writable, on purpose"))
    #expect(text.contains("curl -b jar"))
  }

  @Test(arguments: [
    ["--port", "70000"], ["--port", "x"], ["--query-timeout", "0"], ["--stream-limit", "0"],
    ["--allow-host", "*"], ["--allow-host", "http://x"], ["--writable"],
  ])
  func argumentsThatMakeNoSenseAreRefused(_ arguments: [String]) throws {
    let run = try CommandRun(["serve", path] + arguments)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
  }

  #if Server
    private func answer(_ address: String) throws -> (status: Int, text: String) {
      let run = try ProgramRun(
        "/usr/bin/env", ["curl", "-sS", "-w", "\n%{http_code}", "-g", address], limit: 240)
      let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
      return (lines.last.flatMap { Int($0) } ?? 0, lines.dropLast().joined(separator: "\n"))
    }

    private func address(of command: RunningCommand) throws -> String {
      #expect(command.wait(for: "http://"), "\(command.errors)")
      let line = try #require(command.lines.first)
      #expect(line.hasPrefix("\(path): http://127.0.0.1:"))
      return String(line.dropFirst(path.count + 2))
    }

    @Test(arguments: [SIGINT, SIGTERM]) func signalsEndItInOrder(_ number: Int32) throws {
      let command = try RunningCommand(["serve", path, "--port", "0"])
      let address = try address(of: command)
      #expect(address.contains("/?token="))
      #expect(try answer(address).status == 303)
      #expect(command.wait { $0.contains("token=") && !$0.hasSuffix(address) })
      command.signal(number)
      #expect(command.exitCode() == 0)
      #expect(command.errors.isEmpty)
    }

    @Test func explanationIsThatOfTheCommand() throws {
      let command = try RunningCommand(["serve", path, "--port", "0", "--no-token"])
      let address = try address(of: command)
      let request = "table=job&section-by=state&sort=id+DESC&where=id>0&aggregate=max(id)"
      let served = try answer("\(address)api/explain?\(request)")
      let told = try CommandRun([
        "explain", path, "--table", "job", "--section-by", "state", "--sort", "id DESC", "--where",
        "id>0", "--aggregate", "max(id)", "--json",
      ])
      #expect(served.status == 200)
      #expect(served.text + "\n" == told.output)
    }

    @Test func transactionsAreThoseOfTheCommand() throws {
      let store = try Store.open(at: path)
      try store.changeLog.enable()
      for id in 2...5 {
        try store.write(author: "ann", tag: "t\(id)") {
          try $0.execute("INSERT INTO job VALUES (?, 'new')", id)
        }
      }
      try store.close()
      let command = try RunningCommand(["serve", path, "--port", "0", "--no-token"])
      let address = try address(of: command)
      let told = try CommandRun(["log", path, "--ndjson"])
      let transactions = told.output.split(separator: "\n").map(String.init)
      #expect(transactions.count == 4)
      for (count, expected) in [(100, transactions), (2, Array(transactions.suffix(2)))] {
        let served = try answer("\(address)api/log?count=\(count)")
        #expect(
          served.text.contains("\"transactions\":[\(expected.joined(separator: ","))],\"next\":"))
      }
    }

    @Test func whatCannotBeServedIsSaid() throws {
      let missing = try CommandRun(["serve", path + "x"])
      #expect(missing.code == 66)
      #expect(missing.errors.contains("there is no such file"))
      try Data("no database at all, and long enough to be told".utf8).write(
        to: URL(fileURLWithPath: path + "y"))
      #expect(try CommandRun(["serve", path + "y"]).code == 65)
      let open = try CommandRun(["serve", path, "--host", "0.0.0.0", "--no-token"])
      #expect(open.code == 64)
      #expect(open.errors.contains("Hint: Leave --no-token out"))
      #expect(try CommandRun(["serve", path, "--host", "192.0.2.1"]).code == 74)

      let command = try RunningCommand(["serve", path, "--port", "0", "--no-token"])
      let port = try address(of: command).split(separator: ":").last?.filter(\.isNumber) ?? ""
      let taken = try CommandRun(["serve", path, "--port", port])
      #expect(taken.code == 74)
      #expect(taken.errors.contains("--port 0 takes any that is free"))
    }

    @Test func fileIsNeverWritten() throws {
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let command = try RunningCommand(["serve", path, "--port", "0", "--no-token"])
      let address = try address(of: command)
      for target in [
        "api/schema", "api/rows?table=job", "api/sections?table=job", "api/explain?table=job",
      ] {
        #expect(try answer(address + target).status == 200)
      }
      command.signal(SIGTERM)
      #expect(command.exitCode() == 0)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  #else
    @Test func programWithoutItSaysHowToGetIt() throws {
      let run = try CommandRun(["serve", path])
      #expect(run.code == 64)
      #expect(run.errors.contains("--traits Server,Macros"))
    }
  #endif
}
