internal import CBaseline
internal import Foundation

/// A program with its arguments, to be measured from its start to its end.
struct Program {
  let arguments: [String]
  /// The file that its standard output goes to.
  let output: String
  /// The exit code that says that all went well.
  let successCode: Int32

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - arguments: Its path, and what it is told.
  ///   - output: The file that its standard output goes to.
  ///   - successCode: The exit code that says that all went well.
  init(_ arguments: [String], output: String, successCode: Int32 = 0) {
    self.arguments = arguments
    self.output = output
    self.successCode = successCode
  }

  /// Runs it, and checks that all went well.
  @discardableResult
  func run() throws -> Sample {
    var sample = Sample(cpu: 0, wall: 0)
    let errors = output + ".errors"
    let code = withArguments { program_run($0, output, errors, &sample.cpu, &sample.wall) }
    if code != successCode {
      let message = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      throw WrongResult("\(arguments.joined(separator: " ")) ended with \(code): \(message)")
    }
    return sample
  }

  /// Runs it, and checks what it wrote.
  func run(expecting expected: String) throws -> Sample {
    let sample = try run()
    let text = try text()
    try verify(text == expected, "\(arguments.joined(separator: " ")) wrote \(text)")
    return sample
  }

  /// Returns what it wrote when it ran last.
  func text() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

  /// Returns the peak of its resident memory in bytes: the median of five runs.
  func peakMemory() throws -> Double {
    let peaks = (0..<5).map { _ in Double(withArguments { program_peak_memory($0) }) }
    try verify(peaks.allSatisfy { $0 > 0 }, "the memory of \(arguments[0]) cannot be read")
    return Spread(peaks).median
  }

  private func withArguments<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }
}
