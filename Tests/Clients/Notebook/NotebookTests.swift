import DocumentSync
import DocumentTesting
import Foundation
import Observation
import XCTest

/// The app of the guide, used on two devices, by two people.
nonisolated final class NotebookTests: XCTestCase {
  private let service = NotesService()

  @MainActor
  private func notebook() async throws -> Notebook {
    let service = service
    return try await Notebook(
      .memory, credentials: NoCredentials(), server: "https://notes.example"
    ) { authorization in
      AccountsEndpoint(service: service, authorization: authorization)
    }
  }

  /// A device on which Ann is signed in, whose list is shown, and which asks what is to be decided.
  @MainActor
  private func signedIn() async throws -> (notebook: Notebook, views: Task<Void, Never>) {
    let notebook = try await notebook()
    await notebook.signIn("ann", "secret")
    let views = Task {
      async let list: Void = notebook.showNotes()
      async let questions: Void = notebook.askQuestions()
      _ = await (list, questions)
    }
    return (notebook, views)
  }

  @MainActor
  func testNotesWithPicturesTravelAndConflictsAreAsked() async throws {
    let (phone, phoneViews) = try await signedIn()
    let (desk, deskViews) = try await signedIn()
    defer { for views in [phoneViews, deskViews] { views.cancel() } }
    let new = phone.makeNote()
    new.value.title = "Milk"
    try await new.save()
    await until { phone.notes.map(\.title) == ["Milk"] }

    let picture = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
    try Data("a picture".utf8).write(to: picture)
    defer { try? FileManager.default.removeItem(at: picture) }
    await phone.addPicture(at: picture, to: phone.notes[0])
    await phone.sync()
    await desk.sync()
    await until { desk.notes.first?.picture != nil }
    let there = await desk.picture(of: desk.notes[0])
    XCTAssertEqual(there, Data("a picture".utf8))

    for (device, title) in [(desk, "Oat milk"), (phone, "Soy milk")] {
      let note = device.open(device.notes[0])
      note.value.title = title
      try await note.save()
      await device.sync()
    }
    await until { phone.question != nil }
    XCTAssertEqual(phone.question?.here.title, "Soy milk")
    XCTAssertEqual(phone.question?.there?.title, "Oat milk")
    XCTAssertNotNil(phone.question?.here.picture)
    await phone.decide(.here)
    await until { phone.question == nil }
    for device in [phone, desk] { await device.sync() }
    await until { desk.notes.first?.title == "Soy milk" }
    XCTAssertEqual([phone.message, desk.message], [nil, nil])
  }

  @MainActor
  func testEachAccountSeesItsOwnNotes() async throws {
    let (phone, views) = try await signedIn()
    defer { views.cancel() }
    let new = phone.makeNote()
    new.value.title = "Ann's"
    try await new.save()
    await phone.sync()
    await until { phone.notes.map(\.title) == ["Ann's"] }
    await phone.signOut()
    await until { phone.notes.isEmpty }
    await phone.signIn("ben", "secret")
    let other = phone.makeNote()
    other.value.title = "Ben's"
    try await other.save()
    await phone.sync()
    await until { phone.notes.map(\.title) == ["Ben's"] }
    await phone.signOut()
    await phone.signIn("ann", "secret")
    await until { phone.notes.map(\.title) == ["Ann's"] }
    XCTAssertEqual(service.titles(of: "ben"), ["Ben's"])
    XCTAssertNil(phone.message)
  }

  @MainActor
  func testTheListIsOfTheTitlesThatAreSearchedForNewestFirst() async throws {
    let phone = try await notebook()
    await phone.signIn("ann", "secret")
    for (n, title) in ["Milk", "Bread", "Mint"].enumerated() {
      let new = phone.makeNote()
      new.value.title = title
      new.value.made = Date(timeIntervalSince1970: Double(n))
      try await new.save()
    }
    phone.search = "M"
    let view = Task { await phone.showNotes() }
    await until { phone.notes.map(\.title) == ["Mint", "Milk"] }
    view.cancel()
    await view.value
    XCTAssertNil(phone.message)
  }
}

/// Waits until what a view observes is as it has to be.
private func until(_ condition: @escaping () -> Bool) async {
  while !condition() {
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = condition()
      } onChange: {
        continuation.resume()
      }
    }
  }
}

/// Keeps none.
private nonisolated struct NoCredentials: CredentialStore {
  func load() async throws -> AccountCredentials? { nil }
  func keep(_ credentials: AccountCredentials) async throws {}
  func remove() async throws {}
}

/// A server in memory for each account.
private nonisolated final class NotesService: Sendable {
  private let servers: [String: ReferenceServer]

  init() {
    let manners = ServerManners(
      capabilities: EndpointCapabilities(
        features: [.preconditions, .changes, .tombstones, .idempotencyKeys, .files]))
    servers = [
      "ann": ReferenceServer(manners: manners), "ben": ReferenceServer(manners: manners),
    ]
  }

  /// What somebody who shows this in the field `Authorization` speaks with.
  func endpoint(for authorization: String?) throws -> ReferenceEndpoint {
    let words = authorization?.split(separator: " ").last.flatMap { Data(base64Encoded: "\($0)") }
    let name = String(decoding: words ?? Data(), as: UTF8.self).split(separator: ":").first
    guard let server = servers["\(name ?? "")"] else {
      throw EndpointError(.refused(status: 401, words: "who is it?", subject: .collection))
    }
    return server.endpoint(named: "\(name ?? "")")
  }

  func titles(of name: String) -> [String] {
    let notes = servers[name]?.documents(in: "notes") ?? [:]
    return notes.values.compactMap { $0.value["title"]?.string }
  }
}

private nonisolated struct AccountsEndpoint: DocumentEndpoint {
  let service: NotesService
  let authorization: AuthorizationSource

  private func mine() async throws -> ReferenceEndpoint {
    try service.endpoint(for: try await authorization())
  }

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    try await mine().capabilities()
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await mine().changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    guard let mine = try? await mine() else { return EndpointReply<PushEnd>(.unreachable) }
    return await mine.push(request)
  }

  @concurrent func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    try await mine().file(request)
  }
}
