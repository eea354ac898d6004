V00002_add_size.sql
﻿-- adds a column
CREATE TABLE a (b REFERENCES c);INSERT INTO a VALUES (1)