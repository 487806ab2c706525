import OneWaySynchronizer

/// Asks a processor by name which keys are held, and compares with what it says of all.
struct KeyQuestions<Item: SyncItem>: Sendable {
  typealias ID = Item.ID

  let store: StoreCalls<Item>
  /// What `localKeys` says.
  let all: Set<ID>
  private(set) var notes = NamingNotes<ID>()

  init(to store: StoreCalls<Item>, all: Set<ID>) {
    (self.store, self.all) = (store, all)
  }

  /// Asks in both ways about the same keys; answers with what is said in the second, which is the
  /// engine's.
  mutating func ask(about items: [Item], and others: Set<ID>) async throws -> LocalKeys<ID> {
    let named = others.union(items.map(\.id))
    let right = all.intersection(named)
    let some = try await store.localKeys(named)
    let withItems = try await store.localKeysOfItems(items, others)
    notes.among.formUnion(some.keys.symmetricDifference(right))
    // What both get wrong alike, the second does as it asks the first.
    if withItems.keys != some.keys {
      notes.withItems.formUnion(withItems.keys.symmetricDifference(right))
    }
    if some.count != all.count || withItems.count != all.count { notes.countsAgree = false }
    return withItems
  }

  /// Asks about no key at all, about keys that nobody knows, and about all that the list says
  /// something of: by their items, by their keys and by both.
  mutating func ask(about list: SourceList<Item>, and strangers: Set<ID>) async {
    let note = ListNote(list)
    // A list that isn't complete says nothing of what it doesn't name.
    let others = strangers.union(note.kind == .complete ? all : note.keys.union(note.removed))
    let questions: [(items: [Item], others: Set<ID>)] = [
      ([], []), ([], strangers), (list.items, []), ([], others), (list.items, others),
    ]
    for question in questions {
      do {
        _ = try await ask(about: question.items, and: question.others)
      } catch {
        let isEmpty = question.items.isEmpty && question.others.isEmpty
        notes.errors.append("asked about \(isEmpty ? "no key" : "keys"), it threw \(error)")
      }
    }
  }
}

/// Where `localKeys(among:)` and `localKeys(among:and:)` say something else than `localKeys`.
struct NamingNotes<ID: Hashable & Sendable>: Sendable {
  /// Keys of which `localKeys(among:)` does.
  var among: Set<ID> = []
  /// Keys of which `localKeys(among:and:)` does, and in another way than `localKeys(among:)`.
  var withItems: Set<ID> = []
  /// Whether all three count alike.
  var countsAgree = true
  /// What was thrown.
  var errors: [String] = []
}
