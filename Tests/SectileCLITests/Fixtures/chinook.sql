-- The tables of Chinook, the sample database of a shop for music, as its version for SQLite has them
-- (https://github.com/lerocha/chinook-database), with rows of our own, and the views that people write over them.

CREATE TABLE [Artist] ([ArtistId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId]));
CREATE TABLE [Album] ([AlbumId] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL, [ArtistId] INTEGER NOT NULL,
  CONSTRAINT [PK_Album] PRIMARY KEY ([AlbumId]), FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
CREATE TABLE [Employee] ([EmployeeId] INTEGER NOT NULL, [LastName] NVARCHAR(20) NOT NULL, [FirstName] NVARCHAR(20) NOT NULL, [Title] NVARCHAR(30),
  [ReportsTo] INTEGER, [BirthDate] DATETIME, [HireDate] DATETIME, [Country] NVARCHAR(40), [Email] NVARCHAR(60),
  CONSTRAINT [PK_Employee] PRIMARY KEY ([EmployeeId]), FOREIGN KEY ([ReportsTo]) REFERENCES [Employee] ([EmployeeId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
CREATE TABLE [Customer] ([CustomerId] INTEGER NOT NULL, [FirstName] NVARCHAR(40) NOT NULL, [LastName] NVARCHAR(20) NOT NULL, [Company] NVARCHAR(80),
  [Country] NVARCHAR(40), [Email] NVARCHAR(60) NOT NULL, [SupportRepId] INTEGER,
  CONSTRAINT [PK_Customer] PRIMARY KEY ([CustomerId]), FOREIGN KEY ([SupportRepId]) REFERENCES [Employee] ([EmployeeId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
CREATE TABLE [Genre] ([GenreId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Genre] PRIMARY KEY ([GenreId]));
CREATE TABLE [MediaType] ([MediaTypeId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_MediaType] PRIMARY KEY ([MediaTypeId]));
CREATE TABLE [Track] ([TrackId] INTEGER NOT NULL, [Name] NVARCHAR(200) NOT NULL, [AlbumId] INTEGER, [MediaTypeId] INTEGER NOT NULL, [GenreId] INTEGER,
  [Composer] NVARCHAR(220), [Milliseconds] INTEGER NOT NULL, [Bytes] INTEGER, [UnitPrice] NUMERIC(10,2) NOT NULL,
  CONSTRAINT [PK_Track] PRIMARY KEY ([TrackId]), FOREIGN KEY ([AlbumId]) REFERENCES [Album] ([AlbumId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
  FOREIGN KEY ([GenreId]) REFERENCES [Genre] ([GenreId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
  FOREIGN KEY ([MediaTypeId]) REFERENCES [MediaType] ([MediaTypeId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
CREATE TABLE [Invoice] ([InvoiceId] INTEGER NOT NULL, [CustomerId] INTEGER NOT NULL, [InvoiceDate] DATETIME NOT NULL, [BillingCountry] NVARCHAR(40),
  [Total] NUMERIC(10,2) NOT NULL, CONSTRAINT [PK_Invoice] PRIMARY KEY ([InvoiceId]),
  FOREIGN KEY ([CustomerId]) REFERENCES [Customer] ([CustomerId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
CREATE TABLE [InvoiceLine] ([InvoiceLineId] INTEGER NOT NULL, [InvoiceId] INTEGER NOT NULL, [TrackId] INTEGER NOT NULL, [UnitPrice] NUMERIC(10,2) NOT NULL,
  [Quantity] INTEGER NOT NULL, CONSTRAINT [PK_InvoiceLine] PRIMARY KEY ([InvoiceLineId]),
  FOREIGN KEY ([InvoiceId]) REFERENCES [Invoice] ([InvoiceId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
  FOREIGN KEY ([TrackId]) REFERENCES [Track] ([TrackId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
CREATE TABLE [Playlist] ([PlaylistId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Playlist] PRIMARY KEY ([PlaylistId]));
CREATE TABLE [PlaylistTrack] ([PlaylistId] INTEGER NOT NULL, [TrackId] INTEGER NOT NULL, CONSTRAINT [PK_PlaylistTrack] PRIMARY KEY ([PlaylistId], [TrackId]),
  FOREIGN KEY ([PlaylistId]) REFERENCES [Playlist] ([PlaylistId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
  FOREIGN KEY ([TrackId]) REFERENCES [Track] ([TrackId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId]);
CREATE INDEX [IFK_CustomerSupportRepId] ON [Customer] ([SupportRepId]);
CREATE INDEX [IFK_EmployeeReportsTo] ON [Employee] ([ReportsTo]);
CREATE INDEX [IFK_InvoiceCustomerId] ON [Invoice] ([CustomerId]);
CREATE INDEX [IFK_InvoiceLineInvoiceId] ON [InvoiceLine] ([InvoiceId]);
CREATE INDEX [IFK_InvoiceLineTrackId] ON [InvoiceLine] ([TrackId]);
CREATE INDEX [IFK_PlaylistTrackPlaylistId] ON [PlaylistTrack] ([PlaylistId]);
CREATE INDEX [IFK_PlaylistTrackTrackId] ON [PlaylistTrack] ([TrackId]);
CREATE INDEX [IFK_TrackAlbumId] ON [Track] ([AlbumId]);
CREATE INDEX [IFK_TrackGenreId] ON [Track] ([GenreId]);
CREATE INDEX [IFK_TrackMediaTypeId] ON [Track] ([MediaTypeId]);

INSERT INTO Genre VALUES (1, 'Rock'), (2, 'Jazz'), (3, 'Metal'), (4, 'Latin'), (5, 'Opera');
INSERT INTO MediaType VALUES (1, 'MPEG audio file'), (2, 'AAC audio file');
INSERT INTO Employee VALUES (1, 'Adams', 'Andrew', 'General Manager', NULL, '1962-02-18', '2002-08-14', 'Canada', 'andrew@chinook.test'),
  (2, 'Edwards', 'Nancy', 'Sales Manager', 1, '1958-12-08', '2002-05-01', 'Canada', 'nancy@chinook.test'),
  (3, 'Peacock', 'Jane', 'Sales Support Agent', 2, '1973-08-29', '2002-04-01', 'Canada', 'jane@chinook.test'),
  (4, 'Park', 'Margaret', 'Sales Support Agent', 2, '1947-09-19', '2003-05-03', NULL, NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) INSERT INTO Artist SELECT i, 'Artist ' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) INSERT INTO Album SELECT i, 'Album ' || i, i % 10 + 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
  INSERT INTO Track SELECT i, 'Track ' || i, nullif(i % 31, 30) + 1, i % 2 + 1, nullif(i % 6, 5) + 1, NULL, 100000 + i * 7919 % 300000, i * 1000, iif(i % 9, 0.99, 1.99) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
  INSERT INTO Customer SELECT i, 'First ' || i, 'Last ' || i, NULL, iif(i % 5, 'Country ' || (i % 5), NULL), 'c' || i || '@chinook.test', nullif(i % 3 + 2, 2) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
  INSERT INTO Invoice SELECT i, i % 14 + 1, date('2021-01-01', i || ' days') || ' 00:00:00', (SELECT Country FROM Customer WHERE CustomerId = i % 14 + 1), 0 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
  INSERT INTO InvoiceLine SELECT i, i % 40 + 1, i * 3 % 200 + 1, (SELECT UnitPrice FROM Track WHERE TrackId = i * 3 % 200 + 1), 1 + i % 2 FROM n;
UPDATE Invoice SET Total = (SELECT sum(UnitPrice * Quantity) FROM InvoiceLine WHERE InvoiceLine.InvoiceId = Invoice.InvoiceId);
INSERT INTO Playlist VALUES (1, 'Music'), (2, 'Movies'), (3, 'Grunge'), (4, NULL);
INSERT INTO PlaylistTrack SELECT 1, TrackId FROM Track WHERE TrackId % 2;
INSERT INTO PlaylistTrack SELECT 3, TrackId FROM Track WHERE TrackId % 17 = 0;

CREATE VIEW TrackDetails AS
  SELECT t.TrackId, t.Name AS Track, al.Title AS Album, ar.Name AS Artist, g.Name AS Genre, m.Name AS Media, t.UnitPrice
  FROM Track t LEFT JOIN Album al ON al.AlbumId = t.AlbumId LEFT JOIN Artist ar ON ar.ArtistId = al.ArtistId
  LEFT JOIN Genre g ON g.GenreId = t.GenreId JOIN MediaType m ON m.MediaTypeId = t.MediaTypeId;
CREATE VIEW InvoiceTotals AS
  SELECT i.InvoiceId, c.FirstName || ' ' || c.LastName AS Customer, count(*) AS Lines, sum(l.UnitPrice * l.Quantity) AS Total
  FROM Invoice i JOIN Customer c ON c.CustomerId = i.CustomerId JOIN InvoiceLine l ON l.InvoiceId = i.InvoiceId GROUP BY i.InvoiceId;
CREATE VIEW GenreSales AS
  SELECT g.GenreId, g.Name, count(l.InvoiceLineId) AS Sold, coalesce(sum(l.Quantity), 0) AS Pieces
  FROM Genre g LEFT JOIN Track t ON t.GenreId = g.GenreId LEFT JOIN InvoiceLine l ON l.TrackId = t.TrackId GROUP BY g.GenreId;
CREATE VIEW SupportOfCustomers AS
  SELECT c.CustomerId, c.LastName, e.FirstName AS Agent, m.FirstName AS Manager
  FROM Customer c LEFT JOIN Employee e ON e.EmployeeId = c.SupportRepId LEFT JOIN Employee m ON m.EmployeeId = e.ReportsTo;
CREATE VIEW PlaylistSizes AS
  SELECT p.PlaylistId, p.Name, count(pt.TrackId) AS Tracks, total(t.Milliseconds) / 60000 AS Minutes
  FROM Playlist p LEFT JOIN PlaylistTrack pt ON pt.PlaylistId = p.PlaylistId LEFT JOIN Track t ON t.TrackId = pt.TrackId GROUP BY p.PlaylistId;
CREATE VIEW BestSellers AS
  SELECT ar.ArtistId, ar.Name, count(*) AS Sold FROM Artist ar JOIN Album al USING (ArtistId) JOIN Track t USING (AlbumId)
  JOIN InvoiceLine l ON l.TrackId = t.TrackId GROUP BY ar.ArtistId HAVING count(*) > 8;
CREATE VIEW NeverSold AS
  SELECT t.TrackId, t.Name, t.UnitPrice FROM Track t WHERE NOT EXISTS (SELECT 1 FROM InvoiceLine l WHERE l.TrackId = t.TrackId);
CREATE VIEW People AS
  SELECT 'customer' AS Kind, CustomerId AS Id, FirstName, LastName, Country FROM Customer
  UNION ALL SELECT 'employee', EmployeeId, FirstName, LastName, Country FROM Employee;
CREATE VIEW LongestOfAlbums AS
  SELECT TrackId, AlbumId, Name, Milliseconds, rank() OVER (PARTITION BY AlbumId ORDER BY Milliseconds DESC) AS Place FROM Track;
CREATE VIEW Spenders AS
  SELECT c.CustomerId, c.LastName, s.Invoices, s.Total FROM Customer c
  LEFT JOIN (SELECT CustomerId, count(*) AS Invoices, sum(Total) AS Total FROM Invoice GROUP BY CustomerId) s ON s.CustomerId = c.CustomerId;
-- No column tells the rows of these apart: a country may be NULL, a month is worked out, and of all there is one.
CREATE VIEW CountrySales AS
  SELECT BillingCountry, count(*) AS Invoices, sum(Total) AS Total FROM Invoice GROUP BY BillingCountry;
CREATE VIEW Months AS
  SELECT strftime('%Y-%m', InvoiceDate) AS Month, count(*) AS Invoices FROM Invoice GROUP BY Month;
CREATE VIEW Everything AS SELECT (SELECT count(*) FROM Track) AS Tracks, (SELECT sum(Total) FROM Invoice) AS Total;
