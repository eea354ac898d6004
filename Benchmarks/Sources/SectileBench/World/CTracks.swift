internal import CBaseline
internal import Glibc

/// Tracks as C structures, which own their texts.
final class CTracks {
  let rows: [baseline_track]

  init(_ tracks: [Track]) {
    rows = tracks.map { track in
      baseline_track(
        id: track.id, title: strdup(track.title), artist: strdup(track.artist),
        genre: strdup(track.genre), title_count: Int32(track.title.utf8.count),
        artist_count: Int32(track.artist.utf8.count), genre_count: Int32(track.genre.utf8.count),
        rating: Int32(track.rating), duration: track.duration, added_at: track.addedAt)
    }
  }

  deinit {
    for row in rows {
      free(UnsafeMutableRawPointer(mutating: row.title))
      free(UnsafeMutableRawPointer(mutating: row.artist))
      free(UnsafeMutableRawPointer(mutating: row.genre))
    }
  }
}
