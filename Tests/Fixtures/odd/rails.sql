-- development.sqlite3 of Rails: times with microseconds as text, json and boolean by name, a
-- polymorphic reference, a table without row ids but by its migrations' text.
CREATE TABLE "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
CREATE TABLE "ar_internal_metadata" ("key" varchar NOT NULL PRIMARY KEY, "value" varchar,
  "created_at" datetime(6) NOT NULL, "updated_at" datetime(6) NOT NULL);
CREATE TABLE "users" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "email" varchar DEFAULT '' NOT NULL, "admin" boolean DEFAULT 0, "settings" json DEFAULT '{}',
  "balance" decimal(10,2), "created_at" datetime(6) NOT NULL,
  "full" varchar GENERATED ALWAYS AS (lower(email)) VIRTUAL);
CREATE TABLE "active_storage_blobs" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "key" varchar NOT NULL, "filename" varchar NOT NULL, "metadata" text, "byte_size" bigint NOT NULL,
  "checksum" varchar, "created_at" datetime(6) NOT NULL);
CREATE TABLE "active_storage_attachments" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "name" varchar NOT NULL, "record_type" varchar NOT NULL, "record_id" bigint NOT NULL,
  "blob_id" bigint NOT NULL, CONSTRAINT "fk_rails_c3b3935057" FOREIGN KEY ("blob_id")
  REFERENCES "active_storage_blobs" ("id"));
CREATE TABLE "users_roles" ("user_id" integer, "role_id" integer);
CREATE UNIQUE INDEX "index_users_on_email" ON "users" ("email");
CREATE INDEX "index_users_on_lower" ON "users" (lower(email)) WHERE admin = 1;
INSERT INTO "schema_migrations" VALUES ('20240531141652'), ('20240601000000');
INSERT INTO "ar_internal_metadata" VALUES ('environment', 'development',
  '2024-05-31 14:16:52.345678', '2024-05-31 14:16:52.345678');
INSERT INTO "users" ("email", "admin", "settings", "balance", "created_at") VALUES
  ('A@example.org', 1, '{"theme":"dark"}', 12.5, '2024-05-31 14:16:52.345678'),
  ('', 't', NULL, '0.10', '2024-05-31 14:16:52 UTC');
INSERT INTO "active_storage_blobs" VALUES (1, 'k3', 'ñ.png', '{"identified":true}', 1024, 'a==',
  '2024-05-31 14:16:52.345678');
INSERT INTO "active_storage_attachments" VALUES (1, 'avatar', 'User', 1, 1);
INSERT INTO "users_roles" VALUES (1, 1), (1, 1), (NULL, NULL);
