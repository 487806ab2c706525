/// The tables of a shop for music, as the sample database Chinook has them: names in PascalCase and
/// in the singular, keys named after their tables, a join table, a column that refers to its own
/// table.
package enum Chinook {
  /// The statements that make it, without rows.
  package static let tables: StaticString = """
    CREATE TABLE [Artist] (
      [ArtistId] INTEGER NOT NULL,
      [Name] NVARCHAR(120),
      CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId])
    );
    CREATE TABLE [Album] (
      [AlbumId] INTEGER NOT NULL,
      [Title] NVARCHAR(160) NOT NULL,
      [ArtistId] INTEGER NOT NULL,
      CONSTRAINT [PK_Album] PRIMARY KEY ([AlbumId]),
      FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId])
        ON DELETE NO ACTION ON UPDATE NO ACTION
    );
    CREATE TABLE [Employee] (
      [EmployeeId] INTEGER NOT NULL,
      [LastName] NVARCHAR(20) NOT NULL,
      [FirstName] NVARCHAR(20) NOT NULL,
      [Title] NVARCHAR(30),
      [ReportsTo] INTEGER,
      [BirthDate] DATETIME,
      [HireDate] DATETIME,
      [Email] NVARCHAR(60),
      CONSTRAINT [PK_Employee] PRIMARY KEY ([EmployeeId]),
      FOREIGN KEY ([ReportsTo]) REFERENCES [Employee] ([EmployeeId])
        ON DELETE NO ACTION ON UPDATE NO ACTION
    );
    CREATE TABLE [Customer] (
      [CustomerId] INTEGER NOT NULL,
      [FirstName] NVARCHAR(40) NOT NULL,
      [LastName] NVARCHAR(20) NOT NULL,
      [Company] NVARCHAR(80),
      [Address] NVARCHAR(70),
      [PostalCode] NVARCHAR(10),
      [Phone] NVARCHAR(24),
      [Email] NVARCHAR(60) NOT NULL,
      [SupportRepId] INTEGER,
      CONSTRAINT [PK_Customer] PRIMARY KEY ([CustomerId]),
      FOREIGN KEY ([SupportRepId]) REFERENCES [Employee] ([EmployeeId])
        ON DELETE NO ACTION ON UPDATE NO ACTION
    );
    CREATE TABLE [Genre] (
      [GenreId] INTEGER NOT NULL,
      [Name] NVARCHAR(120),
      CONSTRAINT [PK_Genre] PRIMARY KEY ([GenreId])
    );
    CREATE TABLE [MediaType] (
      [MediaTypeId] INTEGER NOT NULL,
      [Name] NVARCHAR(120),
      CONSTRAINT [PK_MediaType] PRIMARY KEY ([MediaTypeId])
    );
    CREATE TABLE [Playlist] (
      [PlaylistId] INTEGER NOT NULL,
      [Name] NVARCHAR(120),
      CONSTRAINT [PK_Playlist] PRIMARY KEY ([PlaylistId])
    );
    CREATE TABLE [Track] (
      [TrackId] INTEGER NOT NULL,
      [Name] NVARCHAR(200) NOT NULL,
      [AlbumId] INTEGER,
      [MediaTypeId] INTEGER NOT NULL,
      [GenreId] INTEGER,
      [Composer] NVARCHAR(220),
      [Milliseconds] INTEGER NOT NULL,
      [Bytes] INTEGER,
      [UnitPrice] NUMERIC(10,2) NOT NULL,
      CONSTRAINT [PK_Track] PRIMARY KEY ([TrackId]),
      FOREIGN KEY ([AlbumId]) REFERENCES [Album] ([AlbumId])
        ON DELETE NO ACTION ON UPDATE NO ACTION,
      FOREIGN KEY ([GenreId]) REFERENCES [Genre] ([GenreId])
        ON DELETE NO ACTION ON UPDATE NO ACTION,
      FOREIGN KEY ([MediaTypeId]) REFERENCES [MediaType] ([MediaTypeId])
        ON DELETE NO ACTION ON UPDATE NO ACTION
    );
    CREATE TABLE [PlaylistTrack] (
      [PlaylistId] INTEGER NOT NULL,
      [TrackId] INTEGER NOT NULL,
      CONSTRAINT [PK_PlaylistTrack] PRIMARY KEY ([PlaylistId], [TrackId]),
      FOREIGN KEY ([PlaylistId]) REFERENCES [Playlist] ([PlaylistId])
        ON DELETE NO ACTION ON UPDATE NO ACTION,
      FOREIGN KEY ([TrackId]) REFERENCES [Track] ([TrackId])
        ON DELETE NO ACTION ON UPDATE NO ACTION
    );
    CREATE TABLE [Invoice] (
      [InvoiceId] INTEGER NOT NULL,
      [CustomerId] INTEGER NOT NULL,
      [InvoiceDate] DATETIME NOT NULL,
      [BillingCity] NVARCHAR(40),
      [Total] NUMERIC(10,2) NOT NULL,
      CONSTRAINT [PK_Invoice] PRIMARY KEY ([InvoiceId]),
      FOREIGN KEY ([CustomerId]) REFERENCES [Customer] ([CustomerId])
        ON DELETE NO ACTION ON UPDATE NO ACTION
    );
    CREATE TABLE [InvoiceLine] (
      [InvoiceLineId] INTEGER NOT NULL,
      [InvoiceId] INTEGER NOT NULL,
      [TrackId] INTEGER NOT NULL,
      [UnitPrice] NUMERIC(10,2) NOT NULL,
      [Quantity] INTEGER NOT NULL,
      CONSTRAINT [PK_InvoiceLine] PRIMARY KEY ([InvoiceLineId]),
      FOREIGN KEY ([InvoiceId]) REFERENCES [Invoice] ([InvoiceId])
        ON DELETE NO ACTION ON UPDATE NO ACTION,
      FOREIGN KEY ([TrackId]) REFERENCES [Track] ([TrackId])
        ON DELETE NO ACTION ON UPDATE NO ACTION
    );
    CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId]);
    CREATE INDEX [IFK_TrackAlbumId] ON [Track] ([AlbumId]);
    CREATE INDEX [IFK_PlaylistTrackTrackId] ON [PlaylistTrack] ([TrackId]);
    """
}
