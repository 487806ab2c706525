import SyncFolder
import SyncText

/// What a file that was placed means for its item.
enum PlacedEffect: Equatable, Sendable {
  /// A file that was there already is the item's.
  case adopted
  /// The item wasn't held.
  case added
  /// The item has other bytes than before.
  case updated
  /// What had been edited is as it should be again.
  case repaired
  /// What had been deleted is there again.
  case restored
  /// The item was fetched again and has the same bytes as before.
  case confirmed
  case preview

  /// What it means where `held` is what the index had of the content before.
  init(_ placed: Placed<CommitRecord>, held: IndexedContent?) {
    let record = placed.payload
    switch (record.what, record.reason) {
    case _ where placed.adopted: self = .adopted
    case (.preview, _): self = .preview
    case (.content, .new): self = .added
    case (.content, .damaged): self = .repaired
    case (.content, .deleted): self = .restored
    case (.content, .changed), (.content, .unsettled), (.content, .unusable):
      self = held?.sha256 == record.digest ? .confirmed : .updated
    }
  }

  /// Why it was fetched, as events tell it; `nil` for a preview, which has reasons of its own.
  var word: String? {
    switch self {
    case .added: "new"
    case .updated: "changed"
    case .repaired: "damaged"
    case .restored: "deleted"
    case .confirmed: "equal"
    case .adopted, .preview: nil
    }
  }
}

/// What a run did to the folder, in numbers.
struct MirrorTally: Equatable, Sendable {
  var added = 0
  var updated = 0
  var repaired = 0
  var previews = 0
  var adopted = 0
  /// Items that the server vouched for.
  var confirmed = 0
  /// Items that were fetched again and have the same bytes.
  var equal = 0
  var displaced = 0
  var removed = 0
  /// Items that the listing lacks and that stay, since nothing is to be removed.
  var kept = 0
  /// Items that are held and outside the scope.
  var outside = 0
  /// Items outside the scope that are to be removed for that.
  var leaving = 0
  var touched = 0
  var bytes: Int64 = 0

  /// Counts a file that is in its place and recorded, and what came of it in this run.
  mutating func count(_ effect: PlacedEffect, bytes received: Int64) {
    bytes = bytes.addingSaturated(received)
    switch effect {
    case .adopted: adopted += 1
    case .added: added += 1
    case .updated: updated += 1
    case .repaired, .restored: repaired += 1
    case .confirmed: equal += 1
    case .preview: previews += 1
    }
  }

  /// Contents and previews that are new or other than before.
  var changed: Int { added + updated + repaired + adopted + previews }

  /// Contents and previews that were fetched.
  var downloaded: Int { added + updated + repaired + equal + previews }
}
