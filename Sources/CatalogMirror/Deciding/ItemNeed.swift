/// What has to be fetched of an item, and why: the decision of `itemsToUpdate` for one item.
struct ItemNeed: Equatable, Sendable {
  /// Why something is fetched.
  enum Reason: String, Equatable, Sendable {
    /// It isn't held.
    case new
    /// The catalog has another version.
    case changed
    /// What was held is gone or was edited.
    case damaged
    /// Nothing tells whether it changed: the server is asked with the item's own validator.
    case unsettled
    /// It can't be used as the catalog has it.
    case unusable
  }

  var content: Reason?
  var preview: Reason?

  /// Whether nothing has to be fetched.
  var isNothing: Bool { content == nil && preview == nil }

  /// The reason to show: that of the content, which is the greater part.
  var reason: Reason? { content ?? preview }
}

extension ItemNeed {
  /// What is wanted of items.
  struct Wants: Equatable, Sendable {
    var contents: Bool
    var previews: Bool
  }

  /// Decides for one item.
  ///
  /// - Parameters:
  ///   - held: what the index has of it; `nil` when it knows nothing.
  ///   - isDamaged: whether the look at the files found its content gone or edited.
  init(_ item: MirrorItem, held: IndexedItem?, isDamaged: Bool, wants: Wants) {
    guard case .entry(let entry, let isSettled) = item.subject else {
      content = wants.contents ? .unusable : nil
      preview = wants.contents ? nil : .unusable
      return
    }
    if wants.contents {
      content = Self.contentReason(
        entry, isSettled: isSettled, held: held?.content, isDamaged: isDamaged)
    }
    if wants.previews, let wanted = entry.preview {
      switch held?.preview {
      case nil: preview = .new
      case let preview?: self.preview = preview.version == wanted.ownVersion ? nil : .changed
      }
    }
  }

  private static func contentReason(
    _ entry: CatalogEntry, isSettled: Bool, held: IndexedContent?, isDamaged: Bool
  ) -> Reason? {
    guard let held else { return isDamaged ? .damaged : .new }
    guard entry.version != .unknown else { return .unsettled }
    if held.version == entry.version { return isSettled ? nil : .unsettled }
    // Bytes whose version proved nothing when they were fetched are asked about once more.
    return held.version == .unknown ? .unsettled : .changed
  }
}

extension ItemNeed.Reason {
  /// The reason to fetch the content of an item that the index knows: one whose content isn't held
  /// yet, such as after a run of previews only, isn't new.
  var ofKnownItem: ItemNeed.Reason { self == .new ? .changed : self }
}
