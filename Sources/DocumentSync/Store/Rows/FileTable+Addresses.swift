import SyncDatabase
private import SyncText

/// Files that have an address of their own at the server, which a member of their document has once
/// they are there.
///
/// The order, and why none of it may change: the server has the document, then the file, and only
/// then does the member get the address, so that no address leads nowhere. Away it goes the other
/// way round: the member is blank at the server before the file is removed.
extension FileTable {
  /// A member is to have a file that is here: it goes up once the document has. What was to go
  /// there before, and didn't, won't.
  ///
  /// - Throws: ``DocumentError/cannotTravel(_:_:)`` where another member has the same one.
  func add(
    _ facts: FileFacts, to member: String, of id: DocumentID, in home: StoreSession.Home
  ) throws {
    let scope = home.number
    if let other = try place(of: facts.digest, of: id, in: scope), other != member {
      throw DocumentError.cannotTravel(id, "its member '\(other)' has this very file already")
    }
    try leave(
      id, in: scope,
      "member = \(member) AND digest <> \(facts.digest) AND state IN ('up', 'refused')")
    try put(facts, of: id, in: home, isPreview: false, as: .up, isTried: false)
    // One that was sent before may have gone since.
    try connection.run(
      """
      UPDATE files SET state = 'up', words = NULL, loose = NULL, member = ?4
      WHERE id = ?1 AND scope = ?2 AND digest = ?3
      """, id.text, scope, facts.digest, member)
  }

  /// The member that a file has, or is to be taken from.
  private func place(
    of digest: String, of id: DocumentID, in scope: Int64
  ) throws -> String? {
    try connection.row(
      """
      SELECT member FROM files WHERE id = ?1 AND scope = ?2 AND digest = ?3
        AND (loose IS NULL OR state IN ('removing', 'stays'))
      """, id.text, scope, digest
    ) { try $0.optionalText("member") } ?? nil
  }

  /// A member, or for `nil` all of a document, isn't to have its files any more. Those that the
  /// server may have are removed there. Answers whether there are any.
  @discardableResult
  func leave(_ member: String?, of id: DocumentID, in scope: Int64) throws -> Bool {
    try leave(id, in: scope, member.map { "member = \($0)" } ?? "member IS NOT NULL")
  }

  @discardableResult
  private func leave(_ id: DocumentID, in scope: Int64, _ meant: SQL) throws -> Bool {
    try connection.run(
      """
      UPDATE files SET loose = \(session.now), words = NULL, state =
        CASE WHEN state = 'settled' OR tried THEN 'removing' ELSE 'dropped' END
      WHERE id = \(id.text) AND scope = \(scope) AND loose IS NULL AND \(meant)
      """) > 0
  }

  /// A member isn't to have the address of a file any more that isn't known here: it's removed
  /// there.
  func leave(
    _ member: String, of id: DocumentID, in home: StoreSession.Home, at address: String
  ) throws {
    // Nobody knows its content: what stands for that is of no other file.
    let facts = FileFacts(
      digest: "\(SHA256Digest(of: Array("at \(address)".utf8)))", size: 0,
      name: address.split(separator: "/").last.map(String.init) ?? address, type: "")
    try put(facts, of: id, in: home, isPreview: false, as: .removing, isTried: true)
    try connection.run(
      """
      UPDATE files SET state = 'removing', loose = ?4, member = ?5, address = ?6
      WHERE id = ?1 AND scope = ?2 AND digest = ?3
      """, id.text, home.number, facts.digest, session.now, member, address)
  }

  /// The file that a member has, or is to have; `nil` if there is none.
  func file(_ member: String, of id: DocumentID, in scope: Int64) throws -> FileFacts? {
    try connection.row(
      """
      SELECT digest, size, name, type FROM files
      WHERE id = ?1 AND scope = ?2 AND member = ?3 AND loose IS NULL ORDER BY number DESC LIMIT 1
      """, id.text, scope, member
    ) { row in
      FileFacts(
        digest: try row.text("digest"), size: try row.integer("size"), name: try row.text("name"),
        type: try row.text("type"))
    }
  }

  // MARK: - What is to be done

  /// What is to go up: files whose documents the server has as they are here; smallest first. One
  /// that the server may have lost doesn't come back to where another is to be.
  func addressedUploads(of server: String, _ account: String) throws -> [KeptFile] {
    try addressed(
      """
      state IN ('up', 'checking') AND loose IS NULL AND EXISTS (
        SELECT 1 FROM documents WHERE documents.id = files.id AND documents.scope = files.scope
          AND entry IS NULL AND base_version IS NOT NULL)
        AND NOT EXISTS (
          SELECT 1 FROM vanished WHERE vanished.scope = files.scope AND vanished.id = files.id)
        AND NOT (state = 'checking' AND EXISTS (
          SELECT 1 FROM files AS next WHERE next.id = files.id AND next.scope = files.scope
            AND next.member = files.member AND next.loose IS NULL
            AND next.state IN ('up', 'refused')))
      """, server, account)
  }

  /// What was to go up for documents that are gone.
  func orphans(of server: String, _ account: String) throws -> [KeptFile] {
    try addressed(
      """
      state IN ('up', 'refused') AND loose IS NULL AND NOT EXISTS (
        SELECT 1 FROM documents WHERE documents.id = files.id AND documents.scope = files.scope)
      """, server, account)
  }

  /// What is to be removed at the server, once that has the document without it, and nothing else
  /// is to come to its place.
  func addressedRemovals(of server: String, _ account: String) throws -> [KeptFile] {
    try addressed(
      """
      state = 'removing' AND NOT EXISTS (
        SELECT 1 FROM documents WHERE documents.id = files.id
          AND documents.owner = files.owner AND entry IS NOT NULL)
        AND NOT EXISTS (
          SELECT 1 FROM files AS next WHERE next.id = files.id AND next.scope = files.scope
            AND next.member = files.member AND next.loose IS NULL AND next.state <> 'settled')
      """, server, account)
  }

  private func addressed(
    _ condition: SQL, _ server: String, _ account: String
  ) throws -> [KeptFile] {
    try connection.rows(
      """
      \(Self.select)
      WHERE server = ?1 AND account = ?2 AND member IS NOT NULL AND \(condition)
      ORDER BY size, files.number
      """, server, account
    ) { try Self.file($0) }
  }

  // MARK: - What a sync did

  /// It is about to be sent: a server may have it from now on, there if that is known. Answers
  /// whether it's still to be.
  func tries(_ file: KeptFile, at address: String?) throws -> Bool {
    guard try tries(file) else { return false }
    guard let address else { return true }
    try connection.run("UPDATE files SET address = ?2 WHERE number = ?1", file.number, address)
    return true
  }

  /// The server has it at an address.
  func isThere(_ file: KeptFile, at address: String) throws {
    try connection.run("UPDATE files SET address = ?2 WHERE number = ?1", file.number, address)
  }

  /// The member has its address. What the member had before is to go, unless it was at the same
  /// one.
  func settle(_ file: KeptFile, at address: String) throws {
    try isThere(file, at: address)
    try set(.settled, file)
    try connection.run(
      """
      UPDATE files SET loose = coalesce(loose, ?2), words = NULL, state =
        CASE WHEN address = ?3 THEN 'dropped' ELSE 'removing' END
      WHERE number <> ?1 AND state IN ('settled', 'checking', 'removing', 'stays')
        AND (id, scope, member) = (SELECT id, scope, member FROM files WHERE number = ?1)
      """, file.number, session.now, address)
  }

  /// The member that it was for hasn't its address after all.
  func goesAgain(_ file: KeptFile) throws {
    try connection.run(
      "UPDATE files SET state = 'up' WHERE number = ?1 AND state = 'settled' AND loose IS NULL",
      file.number)
  }

  /// Its document is gone, and it isn't sent any more.
  func drop(_ file: KeptFile) throws {
    try connection.run(
      "UPDATE files SET state = 'dropped', loose = ?2 WHERE number = ?1", file.number, session.now)
  }

  /// Its document names it again, or still: it stays where it is.
  func stays(_ file: KeptFile) throws {
    try connection.run(
      "UPDATE files SET state = 'settled', loose = NULL, words = NULL WHERE number = ?1",
      file.number)
  }
}
