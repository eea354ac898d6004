/// What one operation of a case costs.
struct Cost: Codable, Equatable {
  var instructions: Int
  var allocations: Int
}
