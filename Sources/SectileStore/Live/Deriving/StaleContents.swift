/// Thrown where the contents do not fit the database any more: they are fetched again.
struct StaleContents: Error {}
