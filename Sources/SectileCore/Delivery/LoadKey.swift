/// Tells one open load from another.
final class LoadKey: Sendable {}
