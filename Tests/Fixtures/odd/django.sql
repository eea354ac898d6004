-- db.sqlite3 of Django: everything quoted, checks of JSON, deferred keys, names of indexes with
-- hashes, bool and decimal, a generated column, a table of tables.
CREATE TABLE "django_migrations" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  "app" varchar(255) NOT NULL, "name" varchar(255) NOT NULL, "applied" datetime NOT NULL);
CREATE TABLE "django_content_type" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  "app_label" varchar(100) NOT NULL, "model" varchar(100) NOT NULL);
CREATE TABLE "auth_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  "password" varchar(128) NOT NULL, "last_login" datetime NULL, "is_superuser" bool NOT NULL,
  "username" varchar(150) NOT NULL UNIQUE, "last_name" varchar(150) NOT NULL,
  "email" varchar(254) NOT NULL, "is_active" bool NOT NULL, "date_joined" datetime NOT NULL);
CREATE TABLE "auth_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  "name" varchar(150) NOT NULL UNIQUE);
CREATE TABLE "auth_user_groups" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED,
  "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "django_session" ("session_key" varchar(40) NOT NULL PRIMARY KEY,
  "session_data" text NOT NULL, "expire_date" datetime NOT NULL);
CREATE TABLE "shop_order" ("id" char(32) NOT NULL PRIMARY KEY, "total" decimal NOT NULL,
  "tax" decimal GENERATED ALWAYS AS (CAST (("total" * 0.19) AS NUMERIC)) STORED,
  "meta" text NOT NULL CHECK ((JSON_VALID("meta") OR "meta" IS NULL)), "took" bigint NULL,
  "user_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED,
  "ip" char(39) NULL, "quantity" smallint unsigned NOT NULL CHECK ("quantity" >= 0),
  CONSTRAINT "quantity_few" CHECK ("quantity" < 1000));
CREATE UNIQUE INDEX "auth_user_groups_user_id_group_id_94350c0c_uniq" ON "auth_user_groups"
  ("user_id", "group_id");
CREATE INDEX "django_session_expire_date_a5c62663" ON "django_session" ("expire_date");
CREATE INDEX "shop_order_upper" ON "shop_order" ((UPPER("ip")), "total" DESC)
  WHERE "user_id" IS NOT NULL;
INSERT INTO "django_migrations" VALUES (1, 'contenttypes', '0001_initial',
  '2024-05-31 14:16:52.345678');
INSERT INTO "django_content_type" VALUES (1, 'auth', 'user');
INSERT INTO "auth_user" VALUES (1, 'pbkdf2_sha256$720000$a$b=', NULL, 1, 'ágnes', '', '', 1,
  '2024-05-31 14:16:52.345678'), (2, '!', '2024-05-31 14:16:52', 0, 'b', 'Ñ', 'b@x', 0, '');
INSERT INTO "auth_group" VALUES (1, 'Redaktion');
INSERT INTO "auth_user_groups" VALUES (1, 1, 1), (2, 404, 1);
INSERT INTO "django_session" VALUES ('0c3k', '.eJxVjDEOgz:1sD', '2024-06-14 14:16:52');
INSERT INTO "shop_order" ("id", "total", "meta", "took", "user_id", "ip", "quantity") VALUES
  ('6f1f4d0e3a4e4b579d3f6ea9a5e0c6b4', 19.99, '{"a": [1, null]}', 61000000, 1, '::1', 2),
  ('00000000000000000000000000000000', 0, 'null', NULL, NULL, NULL, 0);
