CREATE VIRTUAL TABLE song_text USING fts5 (title, content = 'song', content_rowid = 'id');
CREATE TRIGGER song_text_insert AFTER INSERT ON song BEGIN
  INSERT INTO song_text (rowid, title) VALUES (new.id, new.title);
END;
CREATE TRIGGER song_text_delete AFTER DELETE ON song BEGIN
  INSERT INTO song_text (song_text, rowid, title) VALUES ('delete', old.id, old.title);
END;
CREATE TRIGGER song_text_update AFTER UPDATE ON song BEGIN
  INSERT INTO song_text (song_text, rowid, title) VALUES ('delete', old.id, old.title);
  INSERT INTO song_text (rowid, title) VALUES (new.id, new.title);
END;
