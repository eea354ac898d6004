-- rpmdb.sqlite of RPM and commands.db of command-not-found: names in apostrophes, a blob for each
-- package, keys of a table that is not there, an index for each table.
CREATE TABLE 'Packages' (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL);
CREATE TABLE 'Name' ('key' TEXT NOT NULL, 'hnum' INTEGER NOT NULL, 'idx' INTEGER NOT NULL,
  FOREIGN KEY (hnum) REFERENCES 'Packages' (hnum));
CREATE TABLE 'Basenames' ('key' TEXT NOT NULL, 'hnum' INTEGER NOT NULL, 'idx' INTEGER NOT NULL,
  FOREIGN KEY (hnum) REFERENCES 'Packages' (hnum));
CREATE TABLE 'Installtid' ('key' BLOB NOT NULL, 'hnum' INTEGER NOT NULL, 'idx' INTEGER NOT NULL,
  FOREIGN KEY (hnum) REFERENCES 'Packages' (hnum));
CREATE TABLE 'Sigmd5' ('key' BLOB NOT NULL, 'hnum' INTEGER NOT NULL, 'idx' INTEGER NOT NULL);
CREATE TABLE "commands" ([cmdID] INTEGER PRIMARY KEY NOT NULL, [pkgID] INTEGER NOT NULL,
  [command] TEXT, FOREIGN KEY ([pkgID]) REFERENCES "pkgs" ([pkgID]));
CREATE TABLE "packages-to-do" ([pkgID] INTEGER PRIMARY KEY NOT NULL, [name] TEXT, [version] TEXT,
  [component] TEXT, [priority] INTEGER);
CREATE INDEX 'Name_key_idx' ON 'Name' (key ASC);
CREATE INDEX 'Basenames_key_idx' ON 'Basenames' (key ASC);
CREATE INDEX idx_commands_command ON commands (command);
INSERT INTO Packages VALUES (1, x'0000005c00001e2c'), (7, zeroblob(600));
INSERT INTO Name VALUES ('bash', 1, 0), ('gpg-pubkey', 7, 0), ('gpg-pubkey', 7, 0);
INSERT INTO Basenames VALUES ('bash', 1, 0), ('', 1, 1), ('ñ', 404, 0);
INSERT INTO Installtid VALUES (x'a4d95966', 1, 0), (x'', 7, 0);
INSERT INTO Sigmd5 VALUES (x'd41d8cd98f00b204e9800998ecf8427e', 1, 0);
INSERT INTO commands VALUES (1, 1, 'bash'), (2, 404, NULL);
INSERT INTO "packages-to-do" VALUES (1, 'bash', '5.2.15-2+b2', 'main', 120);
