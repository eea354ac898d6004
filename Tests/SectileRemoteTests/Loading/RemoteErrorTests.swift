import SectileRemote
import Testing

@Suite struct RemoteErrorTests {
  @Test func descriptionIsTheMessageAndTheHint() {
    #expect("\(RemoteError(code: .timedOut, message: "Late."))" == "Late.")
    #expect("\(RemoteError(code: .timedOut, message: "Late.", hint: "Wait."))" == "Late. Wait.")
  }

  @Test func codesAreToldApart() {
    let codes: [RemoteError.Code] = [
      .bodyTooLarge, .connectionFailed, .invalidAddress, .loaderFailed, .loadTimedOut,
      .malformedBody, .parserFailed, .timedOut, .tokenLoop, .tooManyEmptyPages, .tooManyPages,
      .tooManyRedirects, .unexpectedShape, .wrongStatus,
    ]
    #expect(Set(codes).count == codes.count)
    #expect("\(RemoteError.Code.bodyTooLarge)" == "bodyTooLarge")
    #expect(Set(codes.map(\.description)).count == codes.count)
  }
}
