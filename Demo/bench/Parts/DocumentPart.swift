import DocumentSync
import Foundation
import SyncDatabase

/// One measurement of the store of documents, or of the least that keeping the same JSON takes: a
/// process of its own, so that its memory is its own.
enum DocumentPart: String {
  /// New documents saved in one transaction, each with its entry in the outbox.
  case save
  /// The same JSON into a table of ids and texts, in one transaction.
  case upsert
  /// Documents by id, and by what an index has, among many.
  case read

  /// What a part found out.
  struct Finding: Codable {
    /// How long the work took, without what was made and opened before.
    var seconds: Double
    /// How many rows aren't as they have to be.
    var wrong: Int
    /// Microseconds of one document by its id, at the median.
    var get: Double?
    /// Milliseconds of one query that an index answers, at the median.
    var query: Double?
  }

  /// - Parameter path: Where the database is made.
  func run(count: Int, database path: String) async throws -> Finding {
    let samples = (0..<count).map(DocumentSample.init)
    switch self {
    case .save: return try await save(samples, at: path)
    case .upsert: return try upsert(samples, at: path)
    case .read: return try await read(samples, at: path)
    }
  }

  private func save(_ samples: [DocumentSample], at path: String) async throws -> Finding {
    let store = try await DocumentStore(.file(path))
    let seconds = try await Self.seconds { try await Self.fill(store, samples) }
    let counts = try await store.read { try $0.counts() }
    await store.close()
    return Finding(seconds: seconds, wrong: abs(samples.count - counts.outbox))
  }

  private func upsert(_ samples: [DocumentSample], at path: String) throws -> Finding {
    let connection = try Connection(path: path)
    try connection.execute("CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT NOT NULL)")
    let began = ContinuousClock.now
    try connection.transaction {
      for sample in samples {
        try connection.run(
          """
          INSERT INTO documents (id, body) VALUES (?1, ?2)
          ON CONFLICT (id) DO UPDATE SET body = excluded.body
          """, values: [.text(sample.id), .text(sample.text)])
      }
    }
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    let count = try connection.row("SELECT count(*) FROM documents") { try $0.integer(0) } ?? 0
    return Finding(seconds: seconds, wrong: abs(samples.count - Int(count)))
  }

  private func read(_ samples: [DocumentSample], at path: String) async throws -> Finding {
    var options = DocumentStoreOptions()
    options.indexes = [MemberIndex(on: ["rank"])]
    let store = try await DocumentStore(.file(path), options: options)
    try await Self.fill(store, samples)
    var (gets, queries, wrong) = ([Double](), [Double](), 0)
    // Each in a turn of its own, as programs ask, and far from the one before.
    for turn in 0..<1_000 {
      let sample = samples[turn * 7_919 % samples.count]
      gets += [
        try await Self.seconds {
          let found = try await store.read { try $0.document(DocumentID(sample.id)) }
          if found?.text != sample.text { wrong += 1 }
        }
      ]
      let query = DocumentQuery(where: .equal(["rank"], DocumentValue(sample.rank)))
      queries += [
        try await Self.seconds {
          let found = try await store.read { try $0.ids(matching: query) }
          if found != [DocumentID(sample.id)] { wrong += 1 }
        }
      ]
    }
    await store.close()
    return Finding(
      seconds: gets.reduce(0, +) + queries.reduce(0, +), wrong: wrong,
      get: Series(gets).median * 1e6, query: Series(queries).median * 1e3)
  }

  private static func fill(_ store: DocumentStore, _ samples: [DocumentSample]) async throws {
    let notes = DocumentScope(server: "http://localhost", account: "ann", collection: "notes")
    try await store.edit { door in
      for sample in samples {
        let content = try DocumentValue(parsing: sample.text)
        try door.save(DocumentEdit(DocumentID(sample.id), in: notes, content))
      }
    }
  }

  private static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let began = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - began) / .seconds(1)
  }
}

/// A note as people have them, of some 200 bytes.
struct DocumentSample: Sendable {
  let id: String
  let rank: Int
  let text: String

  init(number: Int) {
    id = "note-\(number)"
    rank = number
    text =
      #"{"id":"\#(id)","docType":"note","title":"Note number \#(number)","done":false,"#
      + #""rank":\#(number),"tags":["home","shopping"],"#
      + #""text":"Milk, bread and eggs, and whatever else is still missing for the weekend."}"#
  }
}
