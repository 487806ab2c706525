import SyncDatabase

/// A small database in memory, made anew for each input.
enum FuzzedTables {
  static func open() throws -> Connection {
    var options = ConnectionOptions()
    options.vfs = "memdb"
    options.journal = .asItIs
    let connection = try Connection(path: "fuzzed", options: options)
    try connection.execute(
      """
      CREATE TABLE companies (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE people (id INTEGER PRIMARY KEY, born DATE);
      CREATE TABLE users (
        id INTEGER PRIMARY KEY REFERENCES people (id), name TEXT, user_type TEXT, seen TIMESTAMP,
        company_id INTEGER REFERENCES companies (id), place INTEGER, dirty TEXT);
      CREATE TABLE notes (
        id INTEGER PRIMARY KEY, text TEXT, position INTEGER, user_id INTEGER REFERENCES users (id),
        editor_id INTEGER REFERENCES users (id), note_id INTEGER REFERENCES notes (id));
      CREATE TABLE tags (remote_id TEXT PRIMARY KEY, data JSON);
      CREATE TABLE user_tags (
        user_id INTEGER REFERENCES users (id), tag_id TEXT REFERENCES tags (remote_id),
        place INTEGER, PRIMARY KEY (user_id, tag_id)) WITHOUT ROWID;
      INSERT INTO notes (id, text) VALUES (1, 'one'), (2, 'two'), (3, NULL);
      """)
    return connection
  }
}

/// Throws unless a text is one line that can be shown.
func requireSentence(_ text: String) throws {
  try require(!text.isEmpty, "an error without words")
  try requirePrintable(text, "an error")
}
