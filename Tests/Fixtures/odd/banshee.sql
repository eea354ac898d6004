-- banshee.db: collations and functions HYENA_… of the program, text in double quotation marks
-- where apostrophes belong, sort keys as blobs, a table that is rebuilt at each start.
CREATE TABLE CoreConfiguration (EntryID INTEGER PRIMARY KEY, Key TEXT, Value TEXT);
CREATE TABLE CoreArtists (ArtistID INTEGER PRIMARY KEY, MusicBrainzID TEXT, Name TEXT,
  NameLowered TEXT, NameSort TEXT, NameSortKey BLOB, Rating INTEGER);
CREATE TABLE CoreAlbums (AlbumID INTEGER PRIMARY KEY, ArtistID INTEGER, Title TEXT,
  TitleLowered TEXT, TitleSortKey BLOB, ReleaseDate INTEGER, Duration INTEGER, Year INTEGER,
  IsCompilation INTEGER, ArtistName TEXT, ArtworkID TEXT);
CREATE TABLE CoreTracks (PrimarySourceID INTEGER NOT NULL, TrackID INTEGER PRIMARY KEY,
  ArtistID INTEGER, AlbumID INTEGER, TagSetID INTEGER, ExternalID INTEGER, Uri TEXT,
  UriType INTEGER, MimeType TEXT, FileSize INTEGER, BitRate INTEGER, Attributes INTEGER
    DEFAULT 5, Title TEXT, TitleLowered TEXT, TitleSortKey BLOB, TrackNumber INTEGER,
  Duration INTEGER, Year INTEGER, Genre TEXT, Rating INTEGER, Score INTEGER, PlayCount INTEGER,
  LastPlayedStamp INTEGER, DateAddedStamp INTEGER, BPM INTEGER);
CREATE TABLE CoreSmartPlaylists (SmartPlaylistID INTEGER PRIMARY KEY, PrimarySourceID INTEGER,
  Name TEXT NOT NULL, Condition TEXT, OrderBy TEXT, LimitNumber TEXT, IsTemporary INTEGER
    DEFAULT 0);
CREATE TABLE CoreCache (OrderID INTEGER PRIMARY KEY, ModelID INTEGER, ItemID TEXT);
CREATE TABLE CoreCacheModels (CacheID INTEGER PRIMARY KEY, ModelID TEXT UNIQUE);
CREATE INDEX CoreTracksAggregatesIndex ON CoreTracks (FileSize, Duration);
CREATE INDEX CoreArtistsIndex ON CoreArtists (NameSortKey COLLATE NOCASE);
CREATE VIEW Played AS SELECT TrackID, Title, "played" AS State FROM CoreTracks
  WHERE PlayCount > 0 AND MimeType != "video/mp4";
CREATE VIEW SearchKeys AS SELECT TrackID, HYENA_SEARCH_KEY(Title) AS Key FROM CoreTracks;
INSERT INTO CoreConfiguration VALUES (1, 'DatabaseVersion', '44'), (2, 'MetadataVersion', '8');
INSERT INTO CoreArtists VALUES (1, NULL, 'Sigur Rós', 'sigur ros', NULL, x'0e7c0e32', 0),
  (2, NULL, NULL, '', NULL, NULL, 0);
INSERT INTO CoreAlbums VALUES (1, 1, 'Ágætis byrjun', 'agaetis byrjun', x'0e02', 929059200,
  4288000, 1999, 0, 'Sigur Rós', 'album-5f4dcc3b5aa765d61d8327deb882cf99');
INSERT INTO CoreTracks (PrimarySourceID, TrackID, ArtistID, AlbumID, Uri, MimeType, Title,
    TitleSortKey, Duration, Rating, PlayCount, LastPlayedStamp, DateAddedStamp) VALUES
  (1, 1, 1, 1, 'Sigur%20R%C3%B3s/01.flac', 'taglib/flac', 'Svefn-g-englar', x'0e91', 604000, 5, 3,
    1717165099, 1717165000), (1, 2, 1, 1, '02', 'video/mp4', NULL, NULL, 0, 0, 0, NULL, NULL);
INSERT INTO CoreSmartPlaylists VALUES (1, 1, 'Favorites', '<request><query><greaterThan /></query>',
  NULL, NULL, 0);
INSERT INTO CoreCache VALUES (1, 1, '1'), (2, 1, '2');
INSERT INTO CoreCacheModels VALUES (1, 'MusicLibrary-0');
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'COLLATE NOCASE', 'COLLATE HYENA_COLLATION_KEY');
PRAGMA writable_schema = OFF;
