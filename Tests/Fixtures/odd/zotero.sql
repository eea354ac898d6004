-- zotero.sqlite: keys of two columns, triggers that raise, values of any type in one column,
-- a composite foreign key, NOCASE in a unique key, names like order.
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL,
  filesEditable INT NOT NULL, version INT NOT NULL DEFAULT 0, lastSync INT NOT NULL DEFAULT 0);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT, templateItemTypeID INT,
  display INT DEFAULT 1);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT, fieldFormatID INT,
  FOREIGN KEY (fieldFormatID) REFERENCES fieldFormats(fieldFormatID));
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL,
  dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL,
  key TEXT NOT NULL, version INT NOT NULL DEFAULT 0, synced INT NOT NULL DEFAULT 0,
  UNIQUE (libraryID, key),
  FOREIGN KEY (libraryID) REFERENCES libraries(libraryID) ON DELETE CASCADE);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID),
  FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE,
  FOREIGN KEY (fieldID) REFERENCES fieldsCombined(fieldID),
  FOREIGN KEY (valueID) REFERENCES itemDataValues(valueID));
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT,
  UNIQUE (lastName, firstName, fieldMode));
CREATE TABLE itemCreators (itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL
    DEFAULT 1, orderIndex INT NOT NULL DEFAULT 0,
  PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex), UNIQUE (itemID, orderIndex));
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL,
  parentCollectionID INT DEFAULT NULL REFERENCES collections(collectionID) ON DELETE CASCADE,
  libraryID INT NOT NULL, key TEXT NOT NULL, UNIQUE (libraryID, key));
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE settings (setting TEXT, key TEXT, value, PRIMARY KEY (setting, key));
CREATE TABLE syncCache (libraryID INT NOT NULL, key TEXT NOT NULL, syncObjectTypeID INT NOT NULL,
  version INT NOT NULL, data TEXT, PRIMARY KEY (libraryID, key, syncObjectTypeID, version));
CREATE TABLE syncedSettings (setting TEXT NOT NULL, libraryID INT NOT NULL, value NOT NULL,
  PRIMARY KEY (setting, libraryID), FOREIGN KEY (libraryID, setting)
  REFERENCES librarySettings (libraryID, setting)) WITHOUT ROWID;
CREATE INDEX items_synced ON items (synced);
CREATE TRIGGER fki_tags BEFORE UPDATE OF name ON tags FOR EACH ROW WHEN NEW.name = ''
  BEGIN SELECT RAISE(ABORT, 'Tag cannot be blank'); END;
INSERT INTO version VALUES ('userdata', 120), ('system', 32), (NULL, 0), (NULL, 0);
INSERT INTO libraries VALUES (1, 'user', 1, 1, 0, 0);
INSERT INTO itemTypes VALUES (2, 'book', NULL, 2), (14, 'attachment', NULL, 1);
INSERT INTO fields VALUES (110, 'title', NULL), (14, 'date', 7);
INSERT INTO items VALUES (1, 2, '2024-05-31 14:16:52', '2024-05-31 14:18:19', 1, 'ABCD2345', 0, 0);
INSERT INTO itemDataValues VALUES (1, 'El <i>Aleph</i>'), (2, 1949), (3, '1949-00-00 1949'),
  (4, x'00'), (5, NULL), (6, NULL), (7, 0.1);
INSERT INTO itemData VALUES (1, 110, 1), (1, 14, '3'), (NULL, NULL, NULL), (NULL, NULL, NULL);
INSERT INTO creators VALUES (1, 'Jorge Luis', 'Borges', 0), (2, '', 'UNESCO', 1);
INSERT INTO itemCreators VALUES (1, 1, 1, 0), (1, 2, 3, 1);
INSERT INTO collections VALUES (1, 'Ficción', NULL, 1, 'C1'), (2, 'Kurz', 1, 1, 'C2');
INSERT INTO tags VALUES (1, '⭐'), (2, 'to read');
INSERT INTO settings VALUES ('account', 'userID', 1234567), ('globalSchema', 'data', x'789c');
INSERT INTO syncCache VALUES (1, 'ABCD2345', 3, 0, '{"key":"ABCD2345","data":{}}');
INSERT INTO syncedSettings VALUES ('tagColors', 1, '[{"name":"⭐"}]'), ('lastPage', 1, 12.5);
