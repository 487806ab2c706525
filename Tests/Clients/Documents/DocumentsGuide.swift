import DocumentEndpoints
import DocumentSync

// What the guide shows, as an app would write it; `DocumentsGuideTests` runs it.

struct Note: SyncDocument {
  static let documentType = "note"
  static let collection = "notes"
  static var members: [PartialKeyPath<Note>: String] { [\.title: "title"] }
  let id: DocumentID
  var title: String
  var tags: [String] = []
}

enum Guide {
  static func options() -> ReplicaOptions {
    ReplicaOptions(
      server: "https://kinto.example.org/v1",
      collections: [SyncedCollection(Note.collection, policies: [.merge, .serverWins])],
      indexes: [MemberIndex(on: Note[\.title])],
      texts: [MemberText(of: Note.collection, on: Note[\.title])])
  }

  static func part() -> SyncedCollection {
    let open = CollectionFilter([.init("status", "open"), .init("min_priority", "3")])
    let tasks = SyncedCollection("tasks", policies: [.merge], filter: open)
    return tasks
  }

  static func open(_ path: String, signedInAs name: String, _ password: String) async throws
    -> DocumentReplica
  {
    let account = Account(
      credentials: ServiceEndpoint.credentials(inFile: path + ".credentials"))
    let notes = try await DocumentReplica(
      .file(path), account: account, options: options()
    ) { authorization in
      try ServiceEndpoint.kinto(
        server: "https://kinto.example.org/v1", bucket: "ann", authorization: authorization)
    }
    try await account.signIn(name: name, password: password)
    return notes
  }

  static func edit(_ notes: DocumentReplica) async throws {
    var milk = Note(id: .uuid7(), title: "Milk")
    try await notes.save(milk)
    milk.tags.append("shopping")
    try await notes.save(milk)
    try await notes.save(
      DocumentID("bread"), ["docType": "note", "title": "Bread", "tags": []], in: "notes",
      after: [milk.id])
  }

  static func rename(_ notes: DocumentReplica) async throws {
    try await notes.update(DocumentID("bread"), in: "notes") { bread in
      try (bread ?? ["docType": "note"]).setting("title", to: "Rye bread")
    }
  }

  static func setUp(_ path: String, with server: String) async throws {
    try await DocumentReplica.setUp(storeAt: path) { known in
      var setup = known ?? StoreSetup(service: "rest", server: server, bucket: "", account: "")
      setup.kinds = [DocumentTypes.Kind("note", in: "notes")]
      return (setup, server)
    }
  }

  static func open(setUpAt path: String) async throws -> DocumentReplica? {
    let notes = try await DocumentReplica.open(setUpAt: path) { setup in
      (
        try ServiceEndpoint.rest(server: setup.server),
        ReplicaOptions(
          server: setup.server, collections: setup.kinds.map { SyncedCollection($0.collection) })
      )
    }
    return notes
  }

  static func find(_ notes: DocumentReplica) async throws -> [Note] {
    var query = DocumentQuery(where: .like(Note[\.title], "M%"))
    query.order = [DocumentOrder(Note[\.title])]
    query.limit = 20
    return try await notes.documents(Note.self, matching: query)
  }

  static func search(_ notes: DocumentReplica) async throws -> [Note] {
    let query = DocumentQuery(where: .matches("oat mil*"))
    return try await notes.documents(Note.self, matching: query)
  }

  static func titles(_ notes: DocumentReplica) async throws -> [[String: DocumentValue]] {
    try await notes.rows(
      "SELECT id, body ->> '$.title' AS title FROM documents_view WHERE type = ? ORDER BY id",
      ["note"])
  }

  static func sync(_ notes: DocumentReplica) async throws -> String {
    do {
      let report = try await notes.sync()
      return "\(report.sent.count) sent, \(report.received.count) received"
    } catch let failure as DocumentSyncFailure where failure.reason == .unauthorized {
      return "sign in again; nothing is lost"
    }
  }

  static func decide(_ notes: DocumentReplica, _ id: DocumentID) async throws {
    guard let conflict = try await notes.conflict(id) else { return }
    let theirs = conflict.there?.value["title"]?.string ?? "nothing"
    print("here \(conflict.here["title"]?.string ?? "nothing"), there \(theirs)")
    try await notes.resolve(id, .here)
  }

  static func takeBack(_ notes: DocumentReplica) async throws {
    for lost in try await notes.lost() {
      print("\(lost.number): \(lost.id), \(lost.loss.path)")
    }
    if let last = try await notes.lost().last { try await notes.restore(last.number) }
  }

  static func watch(_ notes: DocumentReplica, _ id: DocumentID) async throws -> [String] {
    var titles: [String] = []
    for try await note in notes.values(of: id, as: Note.self) {
      titles.append(note?.title ?? "gone")
      if note == nil { break }
    }
    return titles
  }

  static func list(_ notes: DocumentReplica, _ query: DocumentQuery) async throws -> [String] {
    var titles: [String] = []
    for try await list in notes.values(of: Note.self, matching: query) {
      titles = list.map(\.title)
      if titles.count == 2 { break }
    }
    return titles
  }

  static func attach(
    _ notes: DocumentReplica, _ picture: String, _ id: DocumentID
  ) async throws -> Bool? {
    try await notes.attach(fileAt: picture, to: "picture", of: id)
    guard let file = try await notes.file("picture", of: id) else { return nil }
    let isHere = try await notes.content(of: file.content) { piece in print(piece.count) }
    return isHere
  }

  static func rowsWithFiles() -> RestDialect {
    var dialect = RestDialect(rows: "results", modified: "changed_at", deleted: "is_deleted")
    dialect.files = RestFiles(at: "https://files.example.org/{type}/{id}/{member}/{name}")
    return dialect
  }
}
