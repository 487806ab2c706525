import SyncDatabase

/// Earlier contents of documents that a server may have taken.
struct ContentTable {
  let session: StoreSession

  /// The contents that an entry remembers, without the present one and those of deletions.
  func contents(of entry: OutboxEntry) throws -> [Revision: DocumentValue] {
    var contents: [Revision: DocumentValue] = [:]
    for revision in entry.rememberedRevisions where revision != entry.revision {
      contents[revision] = try session.connection.row(
        "SELECT body FROM contents WHERE revision = ?1", revision.number
      ) { try DocumentValue($0, "body") }
    }
    return contents
  }

  /// What is kept changes, by revision.
  func change(
    from old: [Revision: DocumentValue], to new: [Revision: DocumentValue]
  ) throws {
    for revision in old.keys where new[revision] == nil {
      try session.connection.run("DELETE FROM contents WHERE revision = ?1", revision.number)
    }
    for (revision, content) in new where old[revision] == nil {
      try session.connection.run(
        "INSERT INTO contents (revision, body) VALUES (?1, ?2)", revision.number, content.text)
    }
  }
}

/// Deletions, for documents that are made anew under an old id.
struct BurialTable {
  let session: StoreSession

  /// What is known of a deletion of that document.
  func burial(of id: DocumentID) throws -> Burial {
    guard try session.holdsBurials() else { return .none }
    return try session.connection.row("SELECT version FROM burials WHERE id = ?1", id.text) { row in
      .at(try row.optionalText("version").map { DocumentVersion($0) })
    } ?? .none
  }

  /// Remembers a deletion, or forgets what was remembered.
  func keep(_ burial: Burial, of id: DocumentID) throws {
    if burial == .none, try !session.holdsBurials() { return }
    switch burial {
    case .none: try session.connection.run("DELETE FROM burials WHERE id = ?1", id.text)
    case .at(let version):
      session.mayHoldBurials()
      try session.connection.run(
        """
        INSERT INTO burials (id, version) VALUES (?1, ?2)
        ON CONFLICT DO UPDATE SET version = excluded.version
        """, id.text, version?.text)
    }
  }
}
