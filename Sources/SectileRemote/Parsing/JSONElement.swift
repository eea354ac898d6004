internal import FoundationEssentials

/// An element of an array of items, whether it is one or not: decoding it never fails.
struct JSONElement<Item: Decodable & Sendable>: Decodable {
  let item: Result<Item, JSONFault>

  init(from decoder: any Decoder) throws {
    do {
      item = .success(try decoder.singleValueContainer().decode(Item.self))
    } catch {
      item = .failure(JSONFault(Self.located(error, in: decoder), in: decoder))
    }
  }

  /// Returns where a number is that does not fit, where that is what was wrong.
  private static func located(_ error: any Error, in decoder: any Decoder) -> any Error {
    guard !(error is DecodingError) else { return error }
    do {
      _ = try LocatingDecoder(base: decoder).singleValueContainer().decode(Item.self)
    } catch let number as UnfitNumber {
      return number
    } catch {
      // The item's own error comes once more.
    }
    return error
  }
}

/// What is wrong with an element.
struct JSONFault: Error {
  private let error: any Error
  /// How many names lead to the element.
  private let depth: Int

  init(_ error: any Error, in decoder: any Decoder) {
    self.error = error
    depth = decoder.codingPath.count
  }

  /// Says what is wrong.
  ///
  /// - Parameters:
  ///   - offset: Which element it is.
  ///   - body: The whole document.
  /// - Returns: The report.
  func report(offset: Int, in body: [UInt8]) -> SkippedElements.Report {
    func report(
      _ reason: SkippedElements.Reason, _ path: [any CodingKey], _ message: String
    ) -> SkippedElements.Report {
      SkippedElements.Report(
        offset: offset, reason: reason, place: Self.names(of: path.dropFirst(depth)),
        message: message)
    }
    switch error {
    case let number as UnfitNumber:
      let literal = JSONLiteral.number(in: body, at: number.path)
      return report(.unfitValue, number.path, number.sentence(written: literal))
    case DecodingError.typeMismatch(_, let context):
      return report(.wrongType, context.codingPath, context.debugDescription)
    case DecodingError.valueNotFound(_, let context):
      return report(.missingValue, context.codingPath, context.debugDescription)
    case DecodingError.keyNotFound(let name, let context):
      return report(.missingField, context.codingPath + [name], "The field is missing.")
    case DecodingError.dataCorrupted(let context):
      return report(.unfitValue, context.codingPath, context.debugDescription)
    default:
      return report(.rejected, [], "\(error)")
    }
  }

  private static func names(of path: some Sequence<any CodingKey>) -> [String] {
    path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
  }
}
