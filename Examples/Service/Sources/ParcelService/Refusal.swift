internal import Hummingbird

/// What a client asked for and does not get, by its own fault.
struct Refusal: Error {
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
}
