-- digikam4.db: times as text without a zone, tables of relations without a key, triggers between
-- them, XML as searches, a foreign key to a table of another file.
CREATE TABLE AlbumRoots (id INTEGER PRIMARY KEY, label TEXT, status INTEGER NOT NULL,
  type INTEGER NOT NULL, identifier TEXT, specificPath TEXT, caseSensitivity INTEGER,
  UNIQUE (identifier, specificPath));
CREATE TABLE Albums (id INTEGER PRIMARY KEY, albumRoot INTEGER NOT NULL, relativePath TEXT NOT NULL,
  date DATE, caption TEXT, collection TEXT, icon INTEGER, modificationDate DATETIME,
  UNIQUE (albumRoot, relativePath));
CREATE TABLE Images (id INTEGER PRIMARY KEY, album INTEGER, name TEXT NOT NULL,
  status INTEGER NOT NULL, category INTEGER NOT NULL, modificationDate DATETIME,
  fileSize INTEGER, uniqueHash TEXT, manualOrder INTEGER, UNIQUE (album, name));
CREATE TABLE ImageInformation (imageid INTEGER PRIMARY KEY, rating INTEGER, creationDate DATETIME,
  digitizationDate DATETIME, orientation INTEGER, width INTEGER, height INTEGER, format TEXT,
  colorDepth INTEGER, colorModel INTEGER);
CREATE TABLE ImagePositions (imageid INTEGER PRIMARY KEY, latitude TEXT, latitudeNumber REAL,
  longitude TEXT, longitudeNumber REAL, altitude REAL, description TEXT);
CREATE TABLE ImageComments (id INTEGER PRIMARY KEY, imageid INTEGER, type INTEGER, language TEXT,
  author TEXT, date DATETIME, comment TEXT, UNIQUE (imageid, type, language, author));
CREATE TABLE ImageRelations (subject INTEGER, object INTEGER, type INTEGER,
  UNIQUE (subject, object, type));
CREATE TABLE Tags (id INTEGER PRIMARY KEY, pid INTEGER, name TEXT NOT NULL, icon INTEGER,
  iconkde TEXT, UNIQUE (name, pid));
CREATE TABLE TagsTree (id INTEGER NOT NULL, pid INTEGER NOT NULL, UNIQUE (id, pid));
CREATE TABLE ImageTags (imageid INTEGER NOT NULL, tagid INTEGER NOT NULL, UNIQUE (imageid, tagid));
CREATE TABLE ImageTagProperties (imageid INTEGER, tagid INTEGER, property TEXT, value TEXT);
CREATE TABLE Searches (id INTEGER PRIMARY KEY, type INTEGER, name TEXT NOT NULL,
  query TEXT NOT NULL);
CREATE TABLE Settings (keyword TEXT NOT NULL UNIQUE, value TEXT);
CREATE INDEX dir_index ON Images (album);
CREATE INDEX hash_index ON Images (uniqueHash);
CREATE TRIGGER insert_tagstree AFTER INSERT ON Tags BEGIN
  INSERT INTO TagsTree SELECT NEW.id, NEW.pid UNION
    SELECT NEW.id, pid FROM TagsTree WHERE id = NEW.pid; END;
CREATE TRIGGER delete_image DELETE ON Images BEGIN
  DELETE FROM ImageTags WHERE imageid = OLD.id; DELETE FROM ImageHaarMatrix WHERE
  imageid = OLD.id; END;
INSERT INTO AlbumRoots VALUES (1, 'Bilder', 0, 1, 'volumeid:?uuid=4d5e-6f70', '/Fotos', 2);
INSERT INTO Albums VALUES (1, 1, '/', '2024-05-31', NULL, NULL, NULL, '2024-05-31T16:16:52.345'),
  (2, 1, '/Été 2024', '2024-05-31', '', 'Ñ', 1, NULL);
INSERT INTO Images VALUES (1, 2, 'DSC_0001.JPG', 1, 1, '2024-05-31T16:16:52', 4194304,
    '0cc175b9c0f1b6a831c399e269772661', 1), (2, NULL, 'gone.jpg', 3, 1, NULL, 0, NULL, NULL);
INSERT INTO ImageInformation VALUES (1, -1, '2024-05-31T16:16:52.345', NULL, 1, 4000, 6000, 'JPG',
  8, 5);
INSERT INTO ImagePositions VALUES (1, '50,56.25000000N', 50.9375, '6,57.61800000E', 6.9603, NULL,
  NULL);
INSERT INTO ImageComments VALUES (1, 1, 1, 'x-default', NULL, NULL, 'Kölner Dom'),
  (2, 1, 1, 'x-default', NULL, NULL, 'twice');
INSERT INTO ImageRelations VALUES (1, 2, 2), (1, NULL, NULL), (1, NULL, NULL);
INSERT INTO Tags VALUES (0, -1, '_Digikam_root_tag_', NULL, NULL), (1, 0, 'Personen', NULL, NULL),
  (2, 1, 'Ágnes', 1, NULL);
INSERT INTO ImageTags VALUES (1, 2), (404, 1);
INSERT INTO ImageTagProperties VALUES (1, 2, 'tagRegion', '<rect x="1" y="2"/>');
INSERT INTO Searches VALUES (1, 2, '', '<?xml version="1.0"?><search/>');
INSERT INTO Settings VALUES ('DBVersion', '16'), ('Locale', 'UTF-8'), ('DeleteRemovedTime', NULL);
