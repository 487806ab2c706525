extension StoreSchema {
  /// New documents that need no row in the outbox.
  static let plain: StaticString = """
    -- Since when it's to be created, in milliseconds since 1970, as long as nothing else is to be
    -- said of that: then it has no row in the outbox, where its place would be `entry`. NULL
    -- otherwise.
    ALTER TABLE documents ADD COLUMN since INTEGER;
    CREATE INDEX documents_plain ON documents (scope, entry) WHERE since IS NOT NULL;
    """
}
