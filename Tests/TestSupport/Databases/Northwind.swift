/// The tables of a trader in food, as the sample database Northwind has them: keys of text, names
/// with a blank, lines of orders under two keys, tables that do nothing but link, a view.
package enum Northwind {
  /// The statements that make it, without rows.
  package static let tables: StaticString = """
    CREATE TABLE [Categories] (
      [CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT,
      [CategoryName] TEXT,
      [Description] TEXT,
      [Picture] BLOB
    );
    CREATE TABLE [CustomerDemographics] (
      [CustomerTypeID] TEXT NOT NULL,
      [CustomerDesc] TEXT,
      PRIMARY KEY ([CustomerTypeID])
    );
    CREATE TABLE [Customers] (
      [CustomerID] TEXT,
      [CompanyName] TEXT,
      [ContactName] TEXT,
      [City] TEXT,
      [Country] TEXT,
      PRIMARY KEY ([CustomerID])
    );
    CREATE TABLE [CustomerCustomerDemo] (
      [CustomerID] TEXT NOT NULL,
      [CustomerTypeID] TEXT NOT NULL,
      PRIMARY KEY ([CustomerID], [CustomerTypeID]),
      FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]),
      FOREIGN KEY ([CustomerTypeID]) REFERENCES [CustomerDemographics] ([CustomerTypeID])
    );
    CREATE TABLE [Employees] (
      [EmployeeID] INTEGER PRIMARY KEY AUTOINCREMENT,
      [LastName] TEXT,
      [FirstName] TEXT,
      [Title] TEXT,
      [BirthDate] DATE,
      [HireDate] DATE,
      [Photo] BLOB,
      [ReportsTo] INTEGER REFERENCES [Employees] ([EmployeeID])
    );
    CREATE TABLE [Regions] (
      [RegionID] INTEGER NOT NULL PRIMARY KEY,
      [RegionDescription] TEXT NOT NULL
    );
    CREATE TABLE [Territories] (
      [TerritoryID] TEXT NOT NULL,
      [TerritoryDescription] TEXT NOT NULL,
      [RegionID] INTEGER NOT NULL,
      PRIMARY KEY ([TerritoryID]),
      FOREIGN KEY ([RegionID]) REFERENCES [Regions] ([RegionID])
    );
    CREATE TABLE [EmployeeTerritories] (
      [EmployeeID] INTEGER NOT NULL,
      [TerritoryID] TEXT NOT NULL,
      PRIMARY KEY ([EmployeeID], [TerritoryID]),
      FOREIGN KEY ([EmployeeID]) REFERENCES [Employees] ([EmployeeID]),
      FOREIGN KEY ([TerritoryID]) REFERENCES [Territories] ([TerritoryID])
    );
    CREATE TABLE [Shippers] (
      [ShipperID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      [CompanyName] TEXT NOT NULL,
      [Phone] TEXT
    );
    CREATE TABLE [Suppliers] (
      [SupplierID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      [CompanyName] TEXT NOT NULL,
      [HomePage] TEXT
    );
    CREATE TABLE [Orders] (
      [OrderID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      [CustomerID] TEXT REFERENCES [Customers] ([CustomerID]),
      [EmployeeID] INTEGER REFERENCES [Employees] ([EmployeeID]),
      [OrderDate] DATETIME,
      [ShipVia] INTEGER REFERENCES [Shippers] ([ShipperID]),
      [Freight] NUMERIC DEFAULT 0,
      [ShipName] TEXT
    );
    CREATE TABLE [Products] (
      [ProductID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      [ProductName] TEXT NOT NULL,
      [SupplierID] INTEGER,
      [CategoryID] INTEGER,
      [UnitPrice] NUMERIC DEFAULT 0,
      [UnitsInStock] INTEGER DEFAULT 0,
      [Discontinued] TEXT NOT NULL DEFAULT '0',
      CHECK ([UnitPrice] >= 0),
      FOREIGN KEY ([CategoryID]) REFERENCES [Categories] ([CategoryID]),
      FOREIGN KEY ([SupplierID]) REFERENCES [Suppliers] ([SupplierID])
    );
    CREATE TABLE [Order Details] (
      [OrderID] INTEGER NOT NULL,
      [ProductID] INTEGER NOT NULL,
      [UnitPrice] NUMERIC NOT NULL DEFAULT 0,
      [Quantity] INTEGER NOT NULL DEFAULT 1,
      [Discount] REAL NOT NULL DEFAULT 0,
      PRIMARY KEY ([OrderID], [ProductID]),
      CHECK ([Quantity] > 0),
      FOREIGN KEY ([OrderID]) REFERENCES [Orders] ([OrderID]),
      FOREIGN KEY ([ProductID]) REFERENCES [Products] ([ProductID])
    );
    CREATE VIEW [Current Product List] AS
      SELECT [ProductID], [ProductName] FROM [Products] WHERE [Discontinued] = '0';
    """
}
