-- MyVideos131.db of Kodi: c00 to c23, whose meaning only the program knows, views with all of
-- them, views over views, names like strHash, a view that selects a table's columns by a star.
CREATE TABLE version (idVersion INTEGER, iCompressCount INTEGER);
CREATE TABLE path (idPath INTEGER PRIMARY KEY, strPath TEXT, strContent TEXT, strScraper TEXT,
  strHash TEXT, scanRecursive INTEGER, useFolderNames BOOL, noUpdate BOOL, dateAdded TEXT,
  idParentPath INTEGER);
CREATE TABLE files (idFile INTEGER PRIMARY KEY, idPath INTEGER, strFilename TEXT,
  playCount INTEGER, lastPlayed TEXT, dateAdded TEXT);
CREATE TABLE bookmark (idBookmark INTEGER PRIMARY KEY, idFile INTEGER, timeInSeconds DOUBLE,
  totalTimeInSeconds DOUBLE, thumbNailImage TEXT, player TEXT, playerState TEXT, type INTEGER);
CREATE TABLE rating (rating_id INTEGER PRIMARY KEY, media_id INTEGER, media_type TEXT,
  rating_type TEXT, rating FLOAT, votes INTEGER);
CREATE TABLE uniqueid (uniqueid_id INTEGER PRIMARY KEY, media_id INTEGER, media_type TEXT,
  value TEXT, type TEXT);
CREATE TABLE sets (idSet INTEGER PRIMARY KEY, strSet TEXT, strOverview TEXT);
CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, name TEXT, art_urls TEXT);
CREATE TABLE actor_link (actor_id INTEGER, media_id INTEGER, media_type TEXT, role TEXT,
  cast_order INTEGER);
CREATE TABLE seasons (idSeason INTEGER PRIMARY KEY, idShow INTEGER, season INTEGER, name TEXT,
  userrating INTEGER);
CREATE TABLE streamdetails (idFile INTEGER, iStreamType INTEGER, strVideoCodec TEXT,
  fVideoAspect FLOAT, iVideoWidth INTEGER, strAudioCodec TEXT, strSubtitleLanguage TEXT);
CREATE TABLE movie (idMovie INTEGER PRIMARY KEY, idFile INTEGER, c00 TEXT, c01 TEXT, c02 TEXT,
  c03 TEXT, c04 TEXT, c05 TEXT, c06 TEXT, c07 TEXT, c08 TEXT, c09 TEXT, c10 TEXT, c11 TEXT, c12
  TEXT, c13 TEXT, c14 TEXT, c15 TEXT, c16 TEXT, c17 TEXT, c18 TEXT, c19 TEXT, c20 TEXT, c21 TEXT,
  c22 TEXT, c23 TEXT, idSet INTEGER,
  userrating INTEGER, premiered TEXT);
CREATE TABLE episode (idEpisode INTEGER PRIMARY KEY, idFile INTEGER, c00 TEXT, c01 TEXT, c02
  TEXT, c03 TEXT, c04 TEXT, c05 TEXT, c06 TEXT, c07 TEXT, c08 TEXT, c09 TEXT, c10 TEXT, c11 TEXT,
  c12 TEXT, c13 TEXT, c14 TEXT, c15 TEXT, c16 TEXT, c17 TEXT, c18 TEXT, c19 TEXT, c20 TEXT, c21
  TEXT, c22 TEXT, c23 TEXT, idShow INTEGER,
  userrating INTEGER, idSeason INTEGER);
CREATE TABLE tvshow (idShow INTEGER PRIMARY KEY, c00 TEXT, c01 TEXT, c02 TEXT, c03 TEXT, c04
  TEXT, c05 TEXT, c06 TEXT, c07 TEXT, c08 TEXT, c09 TEXT, c10 TEXT, c11 TEXT, c12 TEXT, c13 TEXT,
  c14 TEXT, c15 TEXT, c16 TEXT, c17 TEXT, c18 TEXT, c19 TEXT, c20 TEXT, c21 TEXT, c22 TEXT, c23
  TEXT, userrating INTEGER, duration INTEGER);
CREATE UNIQUE INDEX ix_movie_file_1 ON movie (idFile, idMovie);
CREATE UNIQUE INDEX ix_path ON path (strPath);
CREATE INDEX ix_movie_title ON movie (c00);
CREATE UNIQUE INDEX ix_actor_link_1 ON actor_link (actor_id, media_type, media_id, role);
CREATE VIEW movie_view AS SELECT movie.*, sets.strSet AS strSet, sets.strOverview AS strSetOverview,
  files.strFileName AS strFileName, path.strPath AS strPath, files.playCount AS playCount,
  files.lastPlayed AS lastPlayed, files.dateAdded AS dateAdded,
  bookmark.timeInSeconds AS resumeTimeInSeconds, rating.rating AS rating, uniqueid.value AS
  uniqueid_value FROM movie LEFT JOIN sets ON sets.idSet = movie.idSet
  JOIN files ON files.idFile = movie.idFile JOIN path ON path.idPath = files.idPath
  LEFT JOIN bookmark ON bookmark.idFile = movie.idFile AND bookmark.type = 1
  LEFT JOIN rating ON rating.rating_id = movie.c05
  LEFT JOIN uniqueid ON uniqueid.uniqueid_id = movie.c09;
CREATE VIEW episode_view AS SELECT episode.*, files.strFileName AS strFileName,
  tvshow.c00 AS strTitle, tvshow.c05 AS premiered, seasons.season AS season FROM episode
  JOIN files ON files.idFile = episode.idFile JOIN tvshow ON tvshow.idShow = episode.idShow
  JOIN seasons ON seasons.idSeason = episode.idSeason;
CREATE VIEW tvshowcounts AS SELECT tvshow.idShow AS idShow, MAX(files.lastPlayed) AS lastPlayed,
  NULLIF(COUNT(episode.c12), 0) AS totalCount, COUNT(files.playCount) AS watchedcount,
  NULLIF(COUNT(DISTINCT(episode.c12)), 0) AS totalSeasons FROM tvshow
  LEFT JOIN episode ON episode.idShow = tvshow.idShow
  LEFT JOIN files ON files.idFile = episode.idFile GROUP BY tvshow.idShow;
CREATE VIEW tvshow_view AS SELECT tvshow.*, tvshowcounts.totalCount AS totalCount,
  tvshowcounts.watchedcount AS watchedcount FROM tvshow
  JOIN tvshowcounts ON tvshow.idShow = tvshowcounts.idShow;
CREATE VIEW season_view AS SELECT seasons.idSeason AS idSeason, seasons.idShow AS idShow,
  tvshow_view.c00 AS showTitle, count(DISTINCT episode_view.idEpisode) AS episodes,
  sum(files.playCount > 0) AS playCount FROM seasons
  JOIN tvshow_view ON tvshow_view.idShow = seasons.idShow
  JOIN episode_view ON episode_view.idShow = seasons.idShow AND episode_view.c12 = seasons.season
  JOIN files ON files.idFile = episode_view.idFile GROUP BY seasons.idSeason;
INSERT INTO version VALUES (131, 0);
INSERT INTO path VALUES (1, 'smb://nas/Films/', 'movies', 'metadata.themoviedb.org', 'A1', 1, 0, 0,
  '2024-05-31 16:16:52', NULL), (2, 'smb://nas/Séries/', 'tvshows', NULL, NULL, 0, 1, 0, NULL, 1);
INSERT INTO files VALUES (1, 1, 'Amélie (2001).mkv', NULL, NULL, '2024-05-31 16:16:52'),
  (2, 2, 'S01E01.mkv', 1, '2024-06-01 20:00:00', NULL), (3, 404, 'lost.avi', 0, '', '');
INSERT INTO bookmark VALUES (1, 1, 61.25, 7320.0, '', 'VideoPlayer', '<state/>', 1);
INSERT INTO rating VALUES (1, 1, 'movie', 'themoviedb', 7.900000095367432, 11234);
INSERT INTO uniqueid VALUES (1, 1, 'movie', 'tt0211915', 'imdb');
INSERT INTO sets VALUES (1, 'Collection', NULL);
INSERT INTO actor VALUES (1, 'Audrey Tautou', '<thumb>http://x/a.jpg</thumb>');
INSERT INTO actor_link VALUES (1, 1, 'movie', 'Amélie', 0), (1, NULL, NULL, NULL, NULL),
  (1, NULL, NULL, NULL, NULL);
INSERT INTO seasons VALUES (1, 1, 1, NULL, NULL), (2, 1, -1, '', 0);
INSERT INTO streamdetails VALUES (1, 0, 'h264', 2.35, 1920, NULL, NULL),
  (1, 1, NULL, NULL, NULL, 'dca', NULL), (1, 1, NULL, NULL, NULL, 'dca', NULL);
INSERT INTO movie (idMovie, idFile, c00, c05, c09, c11, c14, idSet, premiered) VALUES
  (1, 1, 'Le Fabuleux Destin d''Amélie Poulain', '1', '1', '7320', 'Comédie / Romance', 1,
    '2001-04-25'), (2, 3, 'Lost', NULL, '404', NULL, '', NULL, NULL);
INSERT INTO tvshow (idShow, c00, c05) VALUES (1, 'Les Revenants', '2012-11-26');
INSERT INTO episode (idEpisode, idFile, c00, c12, c13, idShow, idSeason) VALUES
  (1, 2, 'Camille', '1', '1', 1, 1);
CREATE TRIGGER delete_movie AFTER DELETE ON movie FOR EACH ROW BEGIN
  DELETE FROM actor_link WHERE media_id = old.idMovie AND media_type = 'movie';
  DELETE FROM art WHERE media_id = old.idMovie; END;
