import SyncDatabase

/// What is given up of files.
extension FileTable {
  /// What wasn't sent won't be. It stays known, so that its content goes after a time, too.
  func dropUnsent(in scope: Int64) throws {
    // What these documents are left with names other files, or the same, which others have sent.
    try connection.run(
      """
      INSERT INTO file_news (id, is_mine)
        SELECT DISTINCT id, 0 FROM files WHERE scope = ?1 AND state IN ('up', 'refused')
      ON CONFLICT (id) DO UPDATE SET is_mine = 0
      """, scope)
    try connection.run(
      """
      UPDATE files SET state = 'dropped', words = NULL, loose = coalesce(loose, ?2)
      WHERE scope = ?1 AND state IN ('up', 'refused')
      """, scope, session.now)
  }
}
