V0001_create_package.sql
CREATE TABLE package (name TEXT PRIMARY KEY);
INSERT INTO package VALUES ('a;b');
