-- Northwind: names with spaces, brackets and apostrophes, money, pictures, views over tables
-- with spaces and over each other.
CREATE TABLE [Categories] ([CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT, [CategoryName] TEXT,
  [Description] TEXT, [Picture] BLOB);
CREATE TABLE [Customers] ([CustomerID] TEXT, [CompanyName] TEXT, [Contact Name] TEXT,
  [Country] TEXT, PRIMARY KEY ([CustomerID]));
CREATE TABLE [Employees] ([EmployeeID] INTEGER PRIMARY KEY AUTOINCREMENT, [LastName] TEXT,
  [BirthDate] DATE, [HireDate] DATE, [Photo] BLOB, [ReportsTo] INTEGER,
  FOREIGN KEY ([ReportsTo]) REFERENCES [Employees] ([EmployeeID]));
CREATE TABLE [Orders] ([OrderID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [CustomerID] TEXT,
  [EmployeeID] INTEGER, [OrderDate] DATETIME, [Freight] NUMERIC DEFAULT 0, [ShipCountry] TEXT,
  FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]));
CREATE TABLE [Order Details] ([OrderID] INTEGER NOT NULL, [ProductID] INTEGER NOT NULL,
  [UnitPrice] NUMERIC NOT NULL DEFAULT 0, [Quantity] INTEGER NOT NULL DEFAULT 1,
  [Discount] REAL NOT NULL DEFAULT 0, PRIMARY KEY ("OrderID", "ProductID"),
  CHECK ([Discount] >= (0) AND [Discount] <= (1)), FOREIGN KEY ([OrderID])
  REFERENCES [Orders] ([OrderID]), FOREIGN KEY ([ProductID]) REFERENCES [Products] ([ProductID]));
CREATE TABLE [Products] ([ProductID] INTEGER PRIMARY KEY, [ProductName] TEXT NOT NULL,
  [CategoryID] INTEGER, [QuantityPerUnit] TEXT, [UnitPrice] NUMERIC, [Discontinued] TEXT
    NOT NULL DEFAULT '0', FOREIGN KEY ([CategoryID]) REFERENCES [Categories] ([CategoryID]));
CREATE TABLE [CustomerCustomerDemo] ([CustomerID] TEXT NOT NULL, [CustomerTypeID] TEXT NOT NULL,
  PRIMARY KEY ("CustomerID", "CustomerTypeID"));
CREATE VIEW [Order Details Extended] AS SELECT "Order Details".OrderID, "Order Details".ProductID,
  Products.ProductName, "Order Details".UnitPrice * Quantity * (1 - Discount) / 100 * 100
  AS ExtendedPrice FROM Products JOIN [Order Details]
  ON Products.ProductID = [Order Details].ProductID;
CREATE VIEW [Order Subtotals] AS SELECT OrderID, Sum(ExtendedPrice) AS Subtotal
  FROM [Order Details Extended] GROUP BY OrderID;
CREATE VIEW [Summary of Sales by Year] AS SELECT strftime('%Y', OrderDate) AS Year,
  count(*), sum([Order Subtotals].Subtotal) AS [Sub-total €] FROM Orders
  JOIN [Order Subtotals] ON Orders.OrderID = [Order Subtotals].OrderID GROUP BY 1;
CREATE VIEW [Quarterly Orders] AS SELECT DISTINCT Customers.CustomerID, Country FROM Customers
  LEFT JOIN Orders ON Customers.CustomerID = Orders.CustomerID;
CREATE VIEW [Products Above Average Price] AS SELECT ProductName, UnitPrice FROM Products
  WHERE UnitPrice > (SELECT avg(UnitPrice) FROM Products);
INSERT INTO Categories VALUES (1, 'Beverages', 'Soft drinks, coffees', x'151c2f00020000000d'),
  (2, 'Condiments', NULL, NULL);
INSERT INTO Customers VALUES ('ALFKI', 'Alfreds Futterkiste', 'Maria Anders', 'Germany'),
  ('ANTON', 'Antonio Moreno Taquería', '', NULL);
INSERT INTO Employees VALUES (1, 'Davolio', '1968-12-08', '2012-05-01', x'ffd8', 2),
  (2, 'Fuller', '1972-02-19', NULL, NULL, NULL);
INSERT INTO Orders VALUES (10248, 'ALFKI', 1, '2016-07-04 00:00:00', 32.38, 'France'),
  (10249, 'GONE', 404, NULL, '11.61', NULL);
INSERT INTO [Order Details] VALUES (10248, 11, 14, 12, 0), (10248, 42, 9.8, 10, 0.05),
  (10249, 14, 18.6, 9, 0.0);
INSERT INTO Products VALUES (11, 'Queso Cabrales', 1, '1 kg pkg.', 21, '0'),
  (42, 'Singaporean Hokkien Fried Mee', 1, '32 - 1 kg pkgs.', 14, '1');
