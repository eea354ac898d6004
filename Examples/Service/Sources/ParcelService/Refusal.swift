internal import Hummingbird
internal import SectileFeed

/// What a client asked for and does not get, by its own fault: answered by JSON with a code and a
/// hint.
struct Refusal: HTTPResponseError {
  private struct Answer: Encodable {
    let code: String
    let hint: String
  }

  let status: HTTPResponse.Status
  let code: String
  let hint: String

  static let noNumber = Refusal(
    status: .badRequest, code: "noNumber", hint: "The path ends in a whole number.")
  static let unreadable = Refusal(
    status: .badRequest, code: "unreadable",
    hint: "Send a JSON object with status, recipient and weight.")
  static let unsuitable = Refusal(
    status: .unprocessableContent, code: "unsuitable",
    hint: "The weight is above zero, and texts have 1 to 200 bytes.")
  static let noParcel = Refusal(
    status: .notFound, code: "noParcel", hint: "There is no parcel of this number.")

  func response(from request: Request, context: some RequestContext) throws -> Response {
    .json(try ExactJSON.encode(Answer(code: code, hint: hint)), status: status)
  }
}
