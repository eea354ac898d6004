import Foundation
import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct FileLinesFetcherTests {
  typealias Recorder = ChangeRecorder<FileLine.ID, FileLine>

  /// Fetches all lines, and does something between batches.
  static func lines(
    _ file: TemporaryFile, _ options: FileLinesOptions = FileLinesOptions(),
    afterBatch: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> [FileLine] {
    let found = Mutex<(batches: Int, lines: [FileLine])>((0, []))
    try await FileLinesFetcher(path: file.path, options: options).fetch { batch in
      let number = found.withLock {
        $0.batches += 1
        $0.lines += batch
        return $0.batches
      }
      try afterBatch(number)
    }
    return found.withLock { $0.lines }
  }

  static func code(
    _ file: TemporaryFile, _ options: FileLinesOptions = FileLinesOptions()
  ) async -> DataSourceError.Code? {
    do {
      _ = try await lines(file, options)
      return nil
    } catch {
      return (error as? DataSourceError)?.code
    }
  }

  /// Lines of ten bytes each.
  static func long(_ count: Int) -> String {
    (0..<count).map { "\(100_000_000 + $0)\n" }.joined()
  }

  // MARK: - Reading

  @Test func linesOfAFileKeepThePromises() async throws {
    let file = try TemporaryFile("one\ntwo\n")
    let source = FileLinesDataSource(name: "lines", path: file.path)
    #expect(await checkDataSource(source) == [])
    #expect(source.numberOfItems == 2)
  }

  @Test func linesAreNumberedByOccurrence() async throws {
    let lines = try await Self.lines(try TemporaryFile("a\r\nb\na\n\n\nlast"))
    #expect(lines.map(\.text) == ["a", "b", "a", "", "", "last"])
    #expect(lines.map(\.id.occurrence) == [0, 0, 1, 0, 1, 0])
    #expect(lines[2].id.description == "a (2)")
  }

  @Test func emptyFileHasNoLines() async throws {
    #expect(try await Self.lines(try TemporaryFile("")).isEmpty)
  }

  @Test func composedAndDecomposedFormsAreTwoLines() async throws {
    let lines = try await Self.lines(try TemporaryFile("\u{E9}\ne\u{301}\n"))
    #expect(Set(lines.map(\.id)).count == 2)
    #expect(lines.map(\.id.occurrence) == [0, 0])
  }

  @Test func firstBatchIsSmall() async throws {
    let batches = Mutex<[Int]>([])
    let file = try TemporaryFile(Self.long(100_000))
    try await FileLinesFetcher(path: file.path).fetch { batch in
      batches.withLock { $0.append(batch.count) }
    }
    let counts = batches.withLock { $0 }
    #expect(counts.reduce(0, +) == 100_000)
    #expect(counts[0] < 1_000)
    #expect(counts.count < 10)
  }

  @Test func fileWithoutASizeIsReadToItsEnd() async throws {
    // The system makes it up while it is read.
    let lines = Mutex(0)
    try await FileLinesFetcher(path: "/proc/self/status").fetch { batch in
      lines.withLock { $0 += batch.count }
    }
    #expect(lines.withLock { $0 } > 5)
  }

  // MARK: - What is refused

  @Test func missingFileIsRefused() async throws {
    #expect(await Self.code(try TemporaryFile()) == .fileMissing)
  }

  @Test func fileThatCannotBeReadIsRefused() async throws {
    let name = String(repeating: "x", count: 5_000)
    let error = await #expect(throws: DataSourceError.self) {
      try await FileLinesFetcher(path: "/tmp/\(name)").fetch { _ in }
    }
    #expect(error?.code == .fileUnreadable)
  }

  @Test func whatIsNoFileIsRefused() async throws {
    let file = try TemporaryFile()
    try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: true)
    #expect(await Self.code(file) == .notARegularFile)
    let pipe = try TemporaryFile()
    #expect(mkfifo(pipe.path, 0o600) == 0)
    #expect(await Self.code(pipe) == .notARegularFile)
  }

  @Test func fileThatIsTooLargeIsRefused() async throws {
    let file = try TemporaryFile("0123456789")
    #expect(await Self.code(file, FileLinesOptions(byteCountLimit: 9)) == .fileTooLarge)
    #expect(await Self.code(file, FileLinesOptions(byteCountLimit: 10)) == nil)
  }

  @Test func lineThatIsTooLongIsRefused() async throws {
    let file = try TemporaryFile("short\n0123456789\n")
    #expect(await Self.code(file, FileLinesOptions(lineByteCountLimit: 9)) == .lineTooLong)
    #expect(await Self.code(file, FileLinesOptions(lineByteCountLimit: 10)) == nil)
  }

  @Test func textThatIsNotUTF8IsRepairedOrRefused() async throws {
    let file = try TemporaryFile()
    try file.write(Data([0x61, 0x0A, 0x62, 0xFF, 0x63, 0x0A, 0x00, 0x0A]))
    #expect(try await Self.lines(file).map(\.text) == ["a", "b\u{FFFD}c", "\0"])
    let error = await #expect(throws: DataSourceError.self) {
      try await Self.lines(file, FileLinesOptions(invalidText: .refused))
    }
    #expect(error?.code == .invalidText)
    #expect(error?.message.hasPrefix("Line 2 of") == true)
  }

  // MARK: - Changing while it is read

  @Test func fileThatBecomesShorterWhileItIsReadIsRefused() async throws {
    let file = try TemporaryFile(Self.long(100_000))
    let error = await #expect(throws: DataSourceError.self) {
      try await Self.lines(file) { if $0 == 1 { try file.truncate(to: 20_000) } }
    }
    #expect(error?.code == .fileTruncated)
  }

  @Test func whatIsAppendedWhileReadingComesLater() async throws {
    let file = try TemporaryFile(Self.long(10_000))
    let lines = try await Self.lines(file) { if $0 == 1 { try file.append("more\n") } }
    #expect(lines.count == 10_000)
    #expect(try await Self.lines(file).last?.text == "more")
  }

  @Test func fileThatIsReplacedWhileItIsReadIsReadToItsEnd() async throws {
    let file = try TemporaryFile(Self.long(10_000))
    let lines = try await Self.lines(file) { if $0 == 1 { try file.replace(with: "new\n") } }
    #expect(lines.count == 10_000)
    #expect(try await Self.lines(file).map(\.text) == ["new"])
  }

  // MARK: - As a source

  @Test(arguments: ["", "a\nb\na\n"])
  func sourceKeepsThePromisesOfDataSource(_ text: String) async throws {
    let file = try TemporaryFile(text)
    #expect(await checkDataSource(FileLinesDataSource(name: "text", path: file.path)) == [])
  }

  @Test func lineInsertedInFrontIsOneInsert() async throws {
    let file = try TemporaryFile("a\nb\nc\n")
    let source = FileLinesDataSource(name: "text", path: file.path)
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    #expect(await recorder.waitForEnds(1))
    try file.write("x\na\nc\n")
    recorder.reset()
    source.load()
    #expect(await recorder.waitForEnds(1))
    try recorder.check(against: source)
    let change = try #require(recorder.changesets.first)
    #expect(change.inserts.map(\.id.text) == ["x"])
    #expect(change.deletes.map(\.id.text) == ["b"])
    #expect(change.moves.isEmpty && change.updates.isEmpty)
  }

  @Test func failureOfAReloadLeavesTheLinesThatWereRead() async throws {
    let file = try TemporaryFile("a\n")
    let source = FileLinesDataSource(name: "text", path: file.path)
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    #expect(await recorder.waitForEnds(1))
    try file.remove()
    source.load()
    #expect(await recorder.waitForEnds(2))
    #expect((recorder.errors.first as? DataSourceError)?.code == .fileMissing)
    #expect(source.items.map(\.text) == ["a"])
  }

  // MARK: - Observing

  @Test func fileIsReadAgainWhenItChanged() async throws {
    let file = try TemporaryFile("a\n")
    let signals = AsyncStream<Void>.makeStream()
    let options = FileLinesOptions(observation: .signalled { signals.stream })
    let source = FileLinesDataSource(name: "text", path: file.path, options: options)
    let recorder = Recorder()
    // Where the file is gone, and a slow machine tells of it when it is there again.
    recorder.allowFailures()
    source.delegate = recorder
    source.load()
    #expect(await recorder.waitForEnds(1))
    let steps: [(change: () throws -> Void, lines: [String])] = [
      ({ try file.append("b\n") }, ["a", "b"]), ({ try file.replace(with: "b\n") }, ["b"]),
      ({ try file.truncate(to: 0) }, []), ({ try file.write("c\n") }, ["c"]),
      ({ try file.remove() }, ["c"]), ({ try file.write("d\n") }, ["d"]),
    ]
    for step in steps {
      recorder.reset()
      // Nothing changed: nothing is read.
      signals.continuation.yield()
      try step.change()
      signals.continuation.yield()
      // A look that comes in the middle of a change may read once more than is needed.
      var ends = 1
      while await recorder.waitForEnds(ends), source.items.map(\.text) != step.lines { ends += 1 }
      #expect(source.items.map(\.text) == step.lines)
    }
    try recorder.check(against: source)
  }

  @Test func filesThatDoNotChangeAreNotReadAgain() async throws {
    let file = try TemporaryFile("a\n")
    // Each watch looks three times.
    let observation = FileLinesOptions.Observation.signalled {
      AsyncStream { continuation in
        for _ in 0..<3 { continuation.yield() }
        continuation.finish()
      }
    }
    let fetcher = FileLinesFetcher(
      path: file.path, options: FileLinesOptions(observation: observation))
    let changes = Mutex(0)
    try await fetcher.fetch { _ in }
    await fetcher.watch { changes.withLock { $0 += 1 } }
    #expect(changes.withLock { $0 } == 0)
    try file.append("b\n")
    await fetcher.watch { changes.withLock { $0 += 1 } }
    #expect(changes.withLock { $0 } == 1, "one call for one change")
    try await fetcher.fetch { _ in }
    await fetcher.watch { changes.withLock { $0 += 1 } }
    #expect(changes.withLock { $0 } == 2, "it is not known whose read was the last one")
  }

  @Test func sourcesWithOneFetcherHideNothingFromEachOther() async throws {
    let file = try TemporaryFile("a\n")
    let (first, second) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let streams = Mutex([second.stream, first.stream])
    let observation = FileLinesOptions.Observation.signalled {
      streams.withLock { $0.popLast() } ?? AsyncStream { $0.finish() }
    }
    let fetcher = FileLinesFetcher(
      path: file.path, options: FileLinesOptions(observation: observation))
    let calls = Mutex<[String]>([])
    try await fetcher.fetch { _ in }
    async let one: Void = fetcher.watch { calls.withLock { $0.append("one") } }
    first.continuation.yield()
    // Another source reads the change before the first one looks again.
    try file.append("b\n")
    first.continuation.yield()
    first.continuation.finish()
    await one
    try await fetcher.fetch { _ in }
    second.continuation.yield()
    second.continuation.finish()
    await fetcher.watch { calls.withLock { $0.append("two") } }
    #expect(calls.withLock { $0 } == ["one", "two"])
  }

  @Test func pollingFindsChanges() async throws {
    let file = try TemporaryFile("a\n")
    let options = FileLinesOptions(observation: .polling(every: .milliseconds(2)))
    let source = FileLinesDataSource(name: "text", path: file.path, options: options)
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    #expect(await recorder.waitForEnds(1))
    try file.append("b\n")
    #expect(await recorder.waitForEnds(2))
    #expect(source.items.map(\.text) == ["a", "b"])
    source.cancel()
  }
}
