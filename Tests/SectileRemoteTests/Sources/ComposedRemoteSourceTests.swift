import SectileCore
import SectileDataSources
import SectileRemote
import SectileTestSupport
import Testing

/// Remote sources as the inputs of compositions.
@Suite(.timeLimit(.minutes(60))) struct ComposedRemoteSourceTests {
  struct Fruit: Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
  }

  struct Broken: Error, Equatable {}

  /// Sources of every kind that may be loading for long; nothing of them ever arrives.
  static let slowSources: [@Sendable () -> AnyCancellable] = [
    {
      let source = AsyncSequenceDataSource(name: "items") {
        AsyncStream<Fruit> {
          try? await Task.sleep(for: .seconds(600))
          return nil
        }
      }
      return AnyCancellable(source.map(\.name)) { source.cancel() }
    },
    {
      let source = RemoteDataSource<Fruit>(name: "remote") {
        try await Task.sleep(for: .seconds(600))
        return []
      }
      return AnyCancellable(source.map(\.name)) { source.cancel() }
    },
    {
      let loader = PageOperation<Fruit, Int>(firstPage: 0) { _ in
        try await Task.sleep(for: .seconds(600))
        return LoadedPage(items: [], nextPage: nil)
      }
      let source = PaginatedDataSource(name: "pages", loader: loader)
      return AnyCancellable(source.map(\.name)) { source.cancel() }
    },
  ]

  struct AnyCancellable: Sendable {
    let list: ComposedDataSource<Int, String>
    let cancelInput: @Sendable () -> Void

    init(_ list: ComposedDataSource<Int, String>, _ cancelInput: @escaping @Sendable () -> Void) {
      (self.list, self.cancelInput) = (list, cancelInput)
    }
  }

  @Test(arguments: slowSources.indices)
  func cancellingAnInputOfAnyKindEndsTheLoad(_ number: Int) async {
    let slow = Self.slowSources[number]()
    let recorder = ChangeRecorder<Int, String>()
    slow.list.delegate = recorder
    slow.list.load()
    #expect(recorder.isLoading)
    slow.cancelInput()
    #expect(await recorder.waitForEnds(1))
    #expect((recorder.errors.first as? DataSourceError)?.code == .inputCancelled)
  }

  @Test func waitingForALoadThatFailsOrIsCancelledThrows() async throws {
    let failing = RemoteDataSource<Fruit>(
      name: "remote", configuration: RemoteConfiguration(retry: .never)
    ) { throw Broken() }
    await #expect(throws: RemoteError.self) { try await failing.loadAndWait() }
    let slow = RemoteDataSource<Fruit>(name: "remote") {
      try await Task.sleep(for: .seconds(600))
      return []
    }
    let token = slow.observe { [weak slow] event in
      guard case .willLoad = event, let slow else { return }
      runOnOwnThread { slow.cancel() }
    }
    await #expect(throws: CancellationError.self) { try await slow.loadAndWait() }
    token.cancel()
  }
}
