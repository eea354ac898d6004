V0003_end_it.sql
/* x */ CREATE TABLE t(a); COMMIT; CREATE TABLE u(a)