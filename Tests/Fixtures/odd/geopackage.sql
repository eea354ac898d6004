-- A GeoPackage: application_id GPKG, an R*Tree kept by triggers with ST_… functions that only
-- spatial programs have, tables of metadata with checks, a view with such a function, tiles.
PRAGMA application_id = 1196444487;
PRAGMA user_version = 10300;
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY,
  organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL,
  description TEXT);
CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL,
  identifier TEXT UNIQUE, description TEXT DEFAULT '', last_change DATETIME NOT NULL
    DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE, min_y DOUBLE, max_x DOUBLE,
  max_y DOUBLE, srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id)
  REFERENCES gpkg_spatial_ref_sys(srs_id));
CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
  geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL,
  m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
  CONSTRAINT uk_gc_table_name UNIQUE (table_name));
CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL,
  definition TEXT NOT NULL, scope TEXT NOT NULL,
  CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));
CREATE TABLE gpkg_tile_matrix (table_name TEXT NOT NULL, zoom_level INTEGER NOT NULL,
  matrix_width INTEGER NOT NULL, pixel_x_size DOUBLE NOT NULL,
  CONSTRAINT pk_ttm PRIMARY KEY (table_name, zoom_level));
CREATE TABLE tiles (id INTEGER PRIMARY KEY AUTOINCREMENT, zoom_level INTEGER NOT NULL,
  tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL, tile_data BLOB NOT NULL,
  UNIQUE (zoom_level, tile_column, tile_row));
CREATE TABLE "Städte" ("fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "geom" POINT,
  "name" TEXT(40), "pop" MEDIUMINT, "when" DATETIME);
CREATE VIRTUAL TABLE "rtree_Städte_geom" USING rtree (id, minx, maxx, miny, maxy);
CREATE VIRTUAL TABLE counts USING rtree_i32 (id, a0, a1, +note BLOB);
CREATE VIEW "Städte als Text" AS SELECT fid, ST_AsText(geom) AS wkt FROM "Städte";
CREATE VIEW st_boxes AS SELECT s.fid, s.name, r.minx, r.maxx FROM "Städte" AS s
  JOIN "rtree_Städte_geom" AS r ON r.id = s.fid;
INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84 geodetic', 4326, 'EPSG', 4326,
  'GEOGCS["WGS 84",DATUM["WGS_1984"]]', NULL), ('Undefined cartesian', -1, 'NONE', -1, 'undefined',
  '');
INSERT INTO gpkg_contents VALUES ('Städte', 'features', 'Städte', '', '2024-05-31T14:16:52.345Z',
  6.9603, 50.9375, 6.9603, 50.9375, 4326), ('tiles', 'tiles', NULL, NULL, '', NULL, NULL, NULL,
  NULL, NULL);
INSERT INTO gpkg_geometry_columns VALUES ('Städte', 'geom', 'POINT', 4326, 0, 0);
INSERT INTO gpkg_extensions VALUES ('Städte', 'geom', 'gpkg_rtree_index', 'http://x', 'write-only'),
  (NULL, NULL, 'gpkg_webp', 'http://x', 'read-write'), (NULL, NULL, 'gpkg_webp', '', '');
INSERT INTO gpkg_tile_matrix VALUES ('tiles', 0, 1, 156543.033928041);
INSERT INTO tiles VALUES (1, 0, 0, 0, x'89504e470d0a1a0a');
INSERT INTO "Städte" VALUES (1, x'47500001e6100000', 'Köln', 1087863, '2024-05-31T14:16:52.345Z'),
  (2, NULL, NULL, NULL, NULL);
INSERT INTO "rtree_Städte_geom" VALUES (1, 6.9603, 6.9603, 50.9375, 50.9375);
INSERT INTO counts VALUES (1, -5, 5, x'ff'), (2, 0, 0, NULL);
CREATE TRIGGER "rtree_Städte_geom_insert" AFTER INSERT ON "Städte"
  WHEN (new."geom" NOT NULL AND NOT ST_IsEmpty(NEW."geom")) BEGIN
  INSERT OR REPLACE INTO "rtree_Städte_geom" VALUES (NEW."fid", ST_MinX(NEW."geom"),
    ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom")); END;
