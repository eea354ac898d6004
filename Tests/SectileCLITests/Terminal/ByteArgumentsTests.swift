import SectileTestHelpers
import Testing

@testable import SectileCLI

/// What is said of arguments that are not UTF-8.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ByteArgumentsTests {
  @Test func theOptionAndTheBytesAreNamed() {
    let named = ByteArguments.refusal(of: Array("n = 'caf".utf8) + [0xE9, 0x27], after: "--where")
    #expect(
      named.lines == [
        "Error: the argument after --where is not valid UTF-8: 'n = 'caf\\xE9''",
        "Hint: Write it in UTF-8. SQL can name other bytes in hexadecimal: CAST(x'E9' AS TEXT).",
      ])
    let joined = ByteArguments.refusal(of: Array("--table=é".utf8) + [0x80], after: "data.sqlite")
    #expect(
      joined.lines == [
        "Error: the value of --table is not valid UTF-8: 'é\\x80'", "Hint: Write it in UTF-8.",
      ])
    for before in ["data.sqlite", "--sort=a", nil] {
      let other = ByteArguments.refusal(of: [0xFF], after: before)
      #expect(other.code == .usage)
      #expect(
        other.message == "an argument is not valid UTF-8, and no file has this name: '\\xFF'")
    }
  }

  @Test(arguments: [
    (#"export $F --table t --where "v = '$X'""#, "the argument after --where"),
    (#"export $F --sql "$X""#, "the argument after --sql"),
    (#"sections $F --table t --section-by="$X""#, "the value of --section-by"),
    (#"log $F --table "$X""#, "the argument after --table"),
  ])
  func everyCommandNamesTheOption(arguments: String, place: String) throws {
    let folder = try TemporaryFolder()
    let path = try Database.make("CREATE TABLE t (v)", in: folder)
    let run = try ProgramRun(
      "/bin/sh", ["-c", #"X=$(printf 'caf\351'); "$S" "# + arguments],
      environment: ["S": CommandRun.program.path, "F": path], in: folder.url)
    let errors = String(decoding: run.errors, as: UTF8.self)
    #expect(run.code == 64)
    #expect(errors.hasPrefix("Error: \(place) is not valid UTF-8: "), "\(errors)")
    #expect(errors.contains(#"caf\xE9"#), "\(errors)")
    #expect(errors.contains("\nHint: Write it in UTF-8."), "\(errors)")
  }
}
