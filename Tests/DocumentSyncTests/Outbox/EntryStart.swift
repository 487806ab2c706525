@testable import DocumentSync

/// The states of an `OutboxEntry`, each reached by the shortest road to it.
///
/// The first content has revision 1, and where the server had the document, version 1. What was
/// edited or deleted after that has revision 2.
enum EntryStart: CaseIterable {
  case create, update, delete
  case lostCreate, lostCreateEdited, lostCreateDeleted, lostUpdate, lostDelete, lostDeleteSaved
  case sendingCreate, sendingCreateEdited, sendingCreateDeleted
  case sendingUpdate, sendingUpdateEdited, sendingUpdateDeleted
  case sendingDelete, sendingDeleteSaved, looking, lookingSaved
  case contestedCreate, contestedUpdate, contestedDelete, parked, refusedCreate, refusedUpdate

  static let refusal = Refusal(status: 412, words: "")

  var entry: OutboxEntry {
    switch self {
    case .create: Self.fresh(.create)
    case .update: Self.fresh(.update(base: .one))
    case .delete: Self.fresh(.delete(base: .one))
    case .lostCreate: Self.lost(.create)
    case .lostCreateEdited: Self.lostCreate.edited
    case .lostCreateDeleted: Self.lostCreate.deleted
    case .lostUpdate: Self.lost(.update)
    case .lostDelete: Self.lost(.delete)
    case .lostDeleteSaved: Self.lostDelete.edited
    case .sendingCreate: Self.create.sent
    case .sendingCreateEdited: Self.sendingCreate.edited
    case .sendingCreateDeleted: Self.sendingCreate.deleted
    case .sendingUpdate: Self.update.sent
    case .sendingUpdateEdited: Self.sendingUpdate.edited
    case .sendingUpdateDeleted: Self.sendingUpdate.deleted
    case .sendingDelete: Self.delete.sent
    case .sendingDeleteSaved: Self.sendingDelete.edited
    case .looking: Self.lostCreateDeleted.sent
    case .lookingSaved: Self.looking.with { _ = $0.saved(as: .three) }
    case .contestedCreate: Self.sendingCreate.answered(.unmet(Self.refusal))
    case .contestedUpdate: Self.sendingUpdate.answered(.unmet(Self.refusal))
    case .contestedDelete: Self.sendingDelete.answered(.unmet(Self.refusal))
    case .parked: Self.contestedUpdate.with { _ = $0.met(.parked, as: .nine) }
    case .refusedCreate: Self.sendingCreate.answered(.refused(Self.refusal))
    case .refusedUpdate: Self.sendingUpdate.answered(.refused(Self.refusal))
    }
  }

  private static func fresh(_ change: OutboxEntry.Change) -> OutboxEntry {
    OutboxEntry(number: 1, id: DocumentID("a"), collection: "notes", revision: .one, change: change)
  }

  private static func lost(_ start: EntryStart) -> OutboxEntry {
    var entry = start.sent
    _ = entry.answered(.unknown(.lost))
    return entry
  }

  private var sent: OutboxEntry { with { _ = $0.sendBegan(fresh: .nine) } }
  private var edited: OutboxEntry { with { _ = $0.saved(as: .two) } }
  private var deleted: OutboxEntry { with { _ = $0.deleted(as: .two) } }

  private func answered(_ verdict: SendVerdict) -> OutboxEntry { with { _ = $0.answered(verdict) } }

  private func with(_ event: (inout OutboxEntry) -> Void) -> OutboxEntry {
    var entry = entry
    event(&entry)
    return entry
  }
}

extension Revision {
  static let one = Revision(1)
  static let two = Revision(2)
  static let three = Revision(3)
  static let nine = Revision(9)
}

extension DocumentVersion {
  static let one = DocumentVersion("v1")
  static let two = DocumentVersion("v2")
}

extension DocumentState {
  /// Some content, under this version.
  static func copy(_ version: DocumentVersion) -> DocumentState {
    .present(ServerCopy(value: ["n": 1], version: version))
  }
}
