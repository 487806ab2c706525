extension StoreSchema {
  /// Collections of which a store holds what a filter lets through.
  static let filters: StaticString = """
    -- The filter, as an array of JSON of names and values; NULL where all documents are held.
    ALTER TABLE scopes ADD COLUMN filter TEXT;
    -- When the last whole list of what it lets through ended, in milliseconds since 1970.
    ALTER TABLE scopes ADD COLUMN listed INTEGER;
    -- Whether the filter doesn't let it through any more: it may be at the server.
    ALTER TABLE vanished ADD COLUMN outside INTEGER NOT NULL DEFAULT 0;
    """
}
