import SyncDatabase

@testable import DocumentSync

/// A store as the program left it when ids were unique in a store: the rows are those that it
/// wrote, over a real Kinto, its address apart.
///
/// Ann has a document with a file, an edit over a base, a deletion, a new document and one that
/// goes after it, one that she stashed while nobody was signed in, and a document of another
/// collection; one was deleted, and of one something gave way. Bob has a stashed one.
enum StoreOfOneAccountAnID {
  static let server = "https://example.org/buckets/home"
  static let anns = DocumentScope(server: server, account: "ann", collection: "note")
  static let bobs = DocumentScope(server: server, account: "bob", collection: "note")

  static func make(at path: String) throws {
    let first = Array(StoreSchema.migrations.prefix(1))
    let connection = try Connection(path: path, migrations: first)
    _ = try connection.transaction { try connection.execute(rows) }
  }

  private static let rows: StaticString = """
    DELETE FROM store;
    INSERT INTO store (one, name, next, tidied) VALUES
      (1, 'b3fb2cd24ba3c1c9f589e68a97f54c95', 21, 1795892412408);
    INSERT INTO scopes (number, server, account, collection, hidden, checkpoint, comparing) VALUES
      (1, 'https://example.org/buckets/home', 'ann', 'note', 0, NULL, 'forgotten'),
      (2, 'https://example.org/buckets/home', 'ann', 'todo', 0, NULL, NULL),
      (3, 'https://example.org/buckets/home', 'bob', 'note', 0, NULL, NULL),
      (4, 'https://example.org/buckets/home', '', 'note', 0, NULL, NULL);
    INSERT INTO documents (number, id, scope, entry, since, hidden, base_version, base_time,
    shown, shown_version, shown_time, body, base_body, shown_body) VALUES
      (1, 'milk', 1, NULL, NULL, 0, '1795892413136', NULL, NULL, NULL, NULL,
      '{"text":"milk","docType":"note","picture":[{"file":"sha256:92b2fa58028958317e408bd84ecfa70\
    f5ee35b121991dbc232c49d166353708b","size":9,"name":"a.png","type":"image/png"}]}', NULL,
    NULL),
      (2, 'bread', 1, 17, NULL, 0, '1795892413024', NULL, NULL, NULL, NULL,
      '{"text":"rye","docType":"note"}', '{"text":"bread","docType":"note"}', NULL),
      (4, 'oil', 1, 20, NULL, 0, '1795892413264', 1795892413264, NULL, NULL, NULL, NULL,
      '{"text":"theirs","docType":"note"}', NULL),
      (5, 'list', 2, NULL, NULL, 0, '1795892413042', NULL, NULL, NULL, NULL,
      '{"n":1,"docType":"task"}', NULL, NULL),
      (6, 'stashed', 3, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, '{"n":2,"docType":"note"}',
      NULL, NULL),
      (7, 'nobody', 1, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, '{"n":3,"docType":"note"}',
      NULL, NULL),
      (8, 'eggs', 1, 18, 1795892413667, 0, NULL, NULL, NULL, NULL, NULL,
      '{"text":"new","docType":"note"}', NULL, NULL),
      (9, 'child', 1, 19, NULL, 0, NULL, NULL, NULL, NULL, NULL,
      '{"text":"after eggs","docType":"note"}', NULL, NULL);
    INSERT INTO burials (id, version) VALUES
      ('gone', '1795892413233');
    INSERT INTO outbox (number, id, scope, revision, change, base, phase, is_last, since,
    contested, form, details) VALUES
      (17, 'bread', 1, 17, 'update', '1795892413024', 'waiting', 0, 1795892413640, NULL, 1, NULL),
      (19, 'child', 1, 19, 'create', NULL, 'waiting', 0, 1795892413696, NULL, 1, NULL),
      (20, 'oil', 1, 20, 'delete', '1795892413264', 'waiting', 0, 1795892413723, NULL, 1, NULL);
    INSERT INTO awaited (entry, id) VALUES
      (19, 'eggs');
    INSERT INTO capabilities (server, features, batch_entries, batch_bytes, read_only, at) VALUES
      ('https://example.org/buckets/home', 'changes files preconditions tombstones', 100, NULL, 0,
      1795892412991);
    INSERT INTO traces (id, place, at, what, revision, version, words, number, lost, scope) VALUES
      ('gone', 1, 1795892412540, 'made', 3, NULL, NULL, NULL, NULL, 1),
      ('gone', 2, 1795892412992, 'sent', 3, NULL, 'create', NULL, NULL, 1),
      ('gone', 3, 1795892413044, 'accepted', 3, '1795892413026', NULL, NULL, NULL, 1),
      ('gone', 4, 1795892413202, 'deleted', 13, NULL, NULL, NULL, NULL, 1),
      ('gone', 5, 1795892413227, 'sent', 13, '1795892413026', 'delete', NULL, NULL, 1),
      ('gone', 6, 1795892413235, 'removedThere', 13, NULL, NULL, NULL, NULL, 1),
      ('nobody', 1, 1795892413461, 'stashed', NULL, NULL, NULL, NULL, NULL, 1),
      ('oil', 1, 1795892412605, 'made', 4, NULL, NULL, NULL, NULL, 1),
      ('oil', 2, 1795892412992, 'sent', 4, NULL, 'create', NULL, NULL, 1),
      ('oil', 3, 1795892413044, 'accepted', 4, '1795892413029', NULL, NULL, NULL, 1),
      ('oil', 4, 1795892413288, 'edited', 15, '1795892413029', NULL, NULL, NULL, 1),
      ('oil', 5, 1795892413322, 'sent', 15, '1795892413029', 'update', NULL, NULL, 1),
      ('oil', 6, 1795892413334, 'foundOther', 15, NULL, NULL, NULL, NULL, 1),
      ('oil', 7, 1795892413334, 'applied', 15, '1795892413264', 'serverWins', NULL, 1, 1),
      ('stashed', 1, 1795892413404, 'stashed', NULL, NULL, NULL, NULL, NULL, 3);
    INSERT INTO runs (number, began, ended, reason, counts, problem, account) VALUES
      (1, 1795892412676, 1795892413063, 'manual', '{"sent":5}', NULL, 'ann');
    INSERT INTO lost (number, id, scope, path, value, side, reason, at) VALUES
      (1, 'oil', 1, '[]', '{"text":"mine","docType":"note"}', 'here', 'serverWins',
      1795892413334);
    INSERT INTO left_scopes (scope) VALUES
      (3),
      (4);
    INSERT INTO setup (one, service, server, bucket, account, password_file, kinds,
    dialect) VALUES
      (1, 'kinto', 'https://example.org', 'home', 'ann', NULL,
      '[{"collection":"note","name":"note"},{"collection":"todo","name":"task"}]', NULL);
    INSERT INTO files (number, id, scope, digest, size, name, type, is_preview, state, tried,
    loose, words) VALUES
      (1, 'milk', 1, '92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b', 9,
      'a.png', 'image/png', 0, 'settled', 1, NULL, NULL);
    """
}
