/// What has to be fetched of an item, and why: the decision of `itemsToUpdate` for one item.
struct ItemNeed: Equatable, Sendable {
  /// Why something is fetched.
  enum Reason: String, Equatable, Sendable {
    /// It isn't held.
    case new
    /// The catalog has another version.
    case changed
    /// What was held was edited.
    case damaged
    /// What was held is gone.
    case deleted
    /// Nothing tells whether it changed: the server is asked with the item's own validator.
    case unsettled
    /// It can't be used as the catalog has it.
    case unusable
  }

  /// Why nothing tells whether a content changed.
  enum Doubt: String, Equatable, Sendable {
    /// The catalog says nothing of it that would change with it.
    case unversioned
    /// Its date is, or was when it was fetched, so near to the listing's own that a later change
    /// would bear the same.
    case recent
    /// What is held was fetched when one of these was so.
    case unproven
  }

  /// What the look at the files found of a content.
  enum Damage: Equatable, Sendable {
    case gone
    case edited
    /// It couldn't be looked at.
    case unseen
  }

  var content: Reason?
  var preview: Reason?
  /// Of a content that is `unsettled`.
  var doubt: Doubt?

  var isNothing: Bool { content == nil && preview == nil }

  /// The reason to show: that of the content, which is the greater part.
  var reason: Reason? { content ?? preview }
}

extension ItemNeed {
  struct Wants: Equatable, Sendable {
    var contents: Bool
    var previews: Bool
  }

  /// Decides for one item.
  ///
  /// - Parameters:
  ///   - held: what the index has of it; `nil` when it knows nothing.
  ///   - damage: what the look at the files found of its content, if anything.
  init(_ item: MirrorItem, held: IndexedItem?, damage: Damage?, wants: Wants) {
    guard case .entry(let entry, let isSettled) = item else {
      content = wants.contents ? .unusable : nil
      preview = wants.contents ? nil : .unusable
      return
    }
    if wants.contents { decide(entry.listed, isSettled: isSettled, held: held?.content, damage) }
    if wants.previews, let wanted = entry.preview {
      switch held?.preview {
      case nil: preview = .new
      case let preview?: self.preview = preview.version == wanted.ownVersion ? nil : .changed
      }
    }
  }

  private mutating func decide(
    _ entry: CatalogEntry, isSettled: Bool, held: IndexedContent?, _ damage: Damage?
  ) {
    guard let held else {
      content =
        switch damage {
        case nil: .new
        case .gone: .deleted
        case .edited, .unseen: .damaged
        }
      return
    }
    if damage == .unseen {
      content = .damaged
      return
    }
    if entry.version == .unknown {
      doubt = .unversioned
    } else if held.version == entry.version {
      doubt = isSettled ? nil : .recent
    } else if held.version == .unknown {
      // Bytes whose version proved nothing when they were fetched are asked about once more. A date
      // did so if it was too young.
      doubt = entry.version.isDate ? .recent : .unproven
    } else {
      content = .changed
    }
    if doubt != nil { content = .unsettled }
  }
}
