package import DocumentSync

/// A server for documents, as a value: what it has, and what it does with what it is asked.
///
/// It knows nothing of networks: whatever reaches it is carried out and answered.
package struct ServerState: Sendable, Hashable {
  package struct Backup: Sendable, Hashable {
    let collections: [String: [DocumentID: ServerDocument]]
  }

  /// A request that was carried out, and is known again by its key.
  struct Remembered: Hashable {
    let send: PushRequest
    let answer: PushAnswer
  }

  /// How it does what servers do differently.
  package var manners: ServerManners
  package var clock: ServerClock
  /// Which life it lives: another one after it lost its memory.
  package internal(set) var life = 1
  package internal(set) var collections: [String: [DocumentID: ServerDocument]] = [:]
  package var files: [FilePlace: [UInt8]] = [:]
  package internal(set) var fileEvents: [ServerFileEvent] = []
  package internal(set) var events: [ServerEvent] = []
  /// What it did under which key.
  var remembered: [String: Remembered] = [:]
  var changes = 0
  /// How many ids it has made.
  var keys = 0
  /// The moment of the last change of each collection.
  var lastTimes: [String: Int64] = [:]

  package init(manners: ServerManners = ServerManners(), clock: ServerClock = ServerClock()) {
    self.manners = manners
    self.clock = clock
  }

  package func document(_ id: DocumentID, in collection: String) -> ServerDocument? {
    collections[collection]?[id]
  }
}

extension ServerState {
  mutating func store(
    _ content: ServerDocument.Content, _ send: PushRequest, over held: ServerDocument?,
    from writer: String, at now: Int64
  ) -> DocumentVersion {
    let stamp = nextStamp(in: send.collection, at: now)
    let version = DocumentVersion(
      manners.stamps == .rising ? "\(stamp.time)" : "\(stamp.time).\(stamp.number)")
    let isRevived = held.map { $0.isThere ? $0.isRevived : content != .gone } ?? false
    collections[send.collection, default: [:]][send.id] = ServerDocument(
      content: content, version: version, place: stamp, isRevived: isRevived)
    let seen = held?.isThere == true ? held?.version : nil
    switch (content, seen) {
    case (.value(let value), _), (.scrambled(let value), _):
      note(.stored(send.id, value, over: seen, as: version), by: writer, in: send.collection)
    case (.gone, let seen?):
      note(.removed(send.id, over: seen, as: version), by: writer, in: send.collection)
    case (.gone, nil): break  // What isn't there isn't removed.
    }
    return version
  }

  private mutating func nextStamp(in collection: String, at now: Int64) -> ChangeStamp {
    changes += 1
    let time = clock.time(at: now)
    let last = lastTimes[collection]
    let stamp =
      switch manners.stamps {
      case .asTheClockSays: time
      case .rising: max(time, (last ?? 0) + 1)
      }
    lastTimes[collection] = max(stamp, last ?? stamp)
    return ChangeStamp(time: stamp, number: changes)
  }

  /// The latest moment at which something changed in a collection.
  func lastTime(in collection: String) -> Int64? { lastTimes[collection] }

  /// Tells the witness.
  mutating func note(
    _ deed: ServerEvent.Deed, by writer: String? = nil, in collection: String? = nil
  ) {
    events.append(
      ServerEvent(number: events.count + 1, writer: writer, collection: collection, deed: deed))
  }
}

package struct ServerDocument: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case value(DocumentValue)
    /// The document, which nobody can read; it had this value.
    case scrambled(DocumentValue)
    case gone
  }

  package var content: Content
  /// The name of this state of it.
  package let version: DocumentVersion
  /// The moment of its last change, and the number of that change; in their order, changes are
  /// told.
  package let place: ChangeStamp
  /// Whether it was deleted once, and made anew.
  package let isRevived: Bool

  package var isThere: Bool { content != .gone }
}

package struct ChangeStamp: Sendable, Hashable, Comparable {
  /// In milliseconds since 1970.
  package let time: Int64
  /// From 1.
  package let number: Int

  /// By their moments, equal ones by their numbers.
  package static func < (one: ChangeStamp, other: ChangeStamp) -> Bool {
    (one.time, one.number) < (other.time, other.number)
  }
}

/// The clock of a server, which may be wrong. Times are milliseconds since 1970.
package struct ServerClock: Sendable, Hashable {
  /// By how much it is ahead of the true time.
  package private(set) var skew: Int64

  /// A clock that is ahead by so much.
  package init(skew: Int64 = 0) {
    self.skew = skew
  }

  /// Somebody sets it: on by so much, or back.
  package mutating func step(by length: Int64) {
    skew += length
  }

  /// What it shows at a true time.
  package func time(at now: Int64) -> Int64 { now + skew }
}
