/// On which side of an element a place is.
package enum PlaceSide: Sendable {
  case before, behind
}
