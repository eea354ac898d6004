#if Server
  import SectileServer
  import Testing

  /// What somebody chooses who serves a file.
  @Suite struct ServingOptionsTests {
    @Test(arguments: [0, 10, 3_600])
    func aProgramEndsAfterTheServerHasGivenUp(seconds: Int) {
      var options = ServingOptions(file: "app.db")
      options.stopTime = .seconds(seconds)
      #expect(options.lastResort == .seconds(seconds + 5))
    }
  }
#endif
