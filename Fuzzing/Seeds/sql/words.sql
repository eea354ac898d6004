.import "my file.csv" 'it''s'
SELECT "a""b", [c], `d`, ?, ?2, :e FROM f