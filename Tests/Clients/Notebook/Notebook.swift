import DocumentEndpoints
import DocumentSync
import Foundation
import Observation

/// A note, with a picture if it has one; read and written where the store is.
nonisolated struct Note: SyncDocument {
  static let documentType = "note"
  static let collection = "notes"
  static var members: [PartialKeyPath<Note>: String] {
    [\.title: "title", \.made: "made"]
  }

  let id: DocumentID
  var title: String
  var text = ""
  var made = Date.now
  var picture: FileReference?
}

/// What the app's views show and call: the notes of whoever is signed in.
@Observable
final class Notebook {
  /// A note that was changed here and elsewhere, until somebody has decided.
  struct Question {
    let here: Note
    /// `nil` where it was deleted.
    let there: Note?
  }

  private(set) var notes: [Note] = []
  private(set) var question: Question?
  private(set) var message: String?
  /// What titles begin with that are shown; the list follows anew when it changes.
  var search = ""
  private let account: Account
  private let replica: DocumentReplica

  init(
    _ place: ReplicaStorePlace, credentials: any CredentialStore, server: String,
    endpoint: (@escaping AuthorizationSource) throws -> any DocumentEndpoint
  ) async throws {
    account = Account(credentials: credentials)
    replica = try await DocumentReplica(
      place, account: account,
      options: ReplicaOptions(
        server: server, collections: [SyncedCollection(Note.collection, policies: [.ask])],
        indexes: [MemberIndex(on: Note[\.made])]),
      endpoint: endpoint)
  }

  // MARK: - What is shown

  /// Shows the newest notes first, for as long as the list is: `.task(id: search)`.
  func showNotes() async {
    var query = DocumentQuery(where: .like(Note[\.title], search + "%"))
    query.order = [DocumentOrder(Note[\.made], isDescending: true)]
    await telling {
      for try await notes in replica.values(of: Note.self, matching: query) {
        self.notes = notes
      }
    }
  }

  /// Asks whoever is there what only they can decide: `.task`.
  func askQuestions() async {
    await telling {
      // Listens before it looks, so that nothing comes between.
      let changes = replica.changes
      question = try await firstQuestion()
      for await _ in changes { question = try await firstQuestion() }
    }
  }

  /// Syncs by itself, after edits and now and then: `.task`.
  func run() async { await replica.scheduler.run() }

  /// A note to be shown and edited: `TextField("Title", text: $note.value.title)`.
  func open(_ note: Note) -> LiveDocument<Note> { LiveDocument(note, in: replica) }

  func makeNote() -> LiveDocument<Note> {
    LiveDocument(Note(id: .uuid7(), title: ""), isNew: true, in: replica)
  }

  func picture(of note: Note) async -> Data? {
    guard let file = note.picture else { return nil }
    return try? await replica.content(of: file.content).map { Data($0) }
  }

  // MARK: - What is done

  func addPicture(at url: URL, to note: Note) async {
    await telling { try await replica.attach(fileAt: url.path, to: "picture", of: note.id) }
  }

  func sync() async { await telling { try await replica.sync() } }

  func decide(_ resolution: DocumentConflict.Resolution) async {
    guard let question else { return }
    await telling { try await replica.resolve(question.here.id, resolution) }
  }

  func signIn(_ name: String, _ password: String) async {
    await telling { try await account.signIn(name: name, password: password) }
  }

  func signOut() async { await telling { try await account.signOut() } }

  private func firstQuestion() async throws -> Question? {
    guard let id = try await replica.summary().conflicts.first,
      let conflict = try await replica.conflict(id)
    else { return nil }
    return Question(
      here: try Note(conflict.here, id: id),
      there: try conflict.there.map { try Note($0.value, id: id) })
  }

  private func telling(_ work: () async throws -> Void) async {
    do { try await work() } catch { message = error is CancellationError ? nil : "\(error)" }
  }
}
