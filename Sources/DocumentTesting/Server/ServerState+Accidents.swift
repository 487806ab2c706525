package import DocumentSync

/// What befalls it.
extension ServerState {
  /// What it has now, to be put back later.
  package var backup: Backup { Backup(collections: collections) }

  /// Everything is thrown away, what it remembered of requests as well.
  package mutating func flush() {
    files = [:]
    begin(with: [:], as: .flushed)
  }

  /// An older state is put back; nothing since is remembered.
  package mutating func restore(_ backup: Backup) {
    begin(with: backup.collections, as: .restored)
  }

  /// Another server takes over the address, with these documents of its own.
  package mutating func replace(
    with documents: [String: [DocumentID: DocumentValue]] = [:], at now: Int64
  ) {
    files = [:]
    begin(with: [:], as: .replaced)
    for (collection, values) in documents.sorted(by: { $0.key < $1.key }) {
      for (id, value) in values.sorted(by: { $0.key < $1.key }) {
        let send = PushRequest.create(id, value, in: collection, key: nil)
        _ = store(.value(value), send, over: nil, from: "the other server", at: now)
      }
    }
  }

  /// A document can't be read from now on. That is no change of it.
  package mutating func scramble(_ id: DocumentID, in collection: String) {
    guard case .value(let value) = document(id, in: collection)?.content else { return }
    collections[collection]?[id]?.content = .scrambled(value)
  }

  /// A document can be read again.
  package mutating func mend(_ id: DocumentID, in collection: String) {
    guard case .scrambled(let value) = document(id, in: collection)?.content else { return }
    collections[collection]?[id]?.content = .value(value)
  }

  private mutating func begin(
    with collections: [String: [DocumentID: ServerDocument]], as deed: ServerEvent.Deed
  ) {
    life += 1
    self.collections = collections
    lastTimes = collections.compactMapValues { $0.values.map(\.place.time).max() }
    remembered = [:]
    note(deed)
  }
}

/// What happened at a ``ReferenceServer``: the witness of who wrote what, and over what.
package struct ServerEvent: Sendable, Hashable {
  /// What happened.
  package enum Deed: Sendable, Hashable {
    /// A document was stored.
    case stored(DocumentID, DocumentValue, over: DocumentVersion?, as: DocumentVersion)
    /// A document was removed.
    case removed(DocumentID, over: DocumentVersion, as: DocumentVersion)
    /// Everything was thrown away.
    case flushed
    /// An older state was put back.
    case restored
    /// Another server took over the address.
    case replaced
  }

  /// The number of the event, from 1.
  package let number: Int
  /// Who did it: the name of an endpoint; nobody where it befell the server.
  package let writer: String?
  /// Where; everywhere where it befell the server.
  package let collection: String?
  package let deed: Deed

  /// An event, to be compared with what happened.
  package init(number: Int, writer: String?, collection: String?, deed: Deed) {
    self.number = number
    self.writer = writer
    self.collection = collection
    self.deed = deed
  }
}
