SELECT 1;
-- note
/* several
lines */ SELECT 'it''s';
.tables
