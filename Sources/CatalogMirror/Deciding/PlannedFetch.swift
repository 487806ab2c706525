import SyncText

/// An item of which something would be fetched, with all that a plan says of it.
struct PlannedFetch: Sendable {
  private let item: MirrorItem
  /// `nil` for an item that can't be used.
  let reason: MirrorPlan.Reason?
  let wantsContent: Bool
  private let wantsPreview: Bool
  /// Whether a content is held, in the state in which it was left.
  let isHeld: Bool
  /// Whether the index knows the item, and it was edited here.
  let isEdited: Bool
  /// Whether the index knows the item.
  let isKnown: Bool
  /// Whether the server can tell that what is held is still right.
  let canBeConfirmed: Bool
  /// See ``ContentFetch/mayBeInPlace``.
  let mayBeInPlace: IndexedContent?
  /// What it would be made of; `nil` where all of it would be fetched.
  let sources: CopySources?

  init(
    _ item: MirrorItem, _ need: ItemNeed, held: IndexedItem?, isEdited: Bool,
    mayBeInPlace: IndexedContent? = nil, sources: CopySources? = nil
  ) {
    (self.item, self.mayBeInPlace, self.sources) = (item, mayBeInPlace, sources)
    reason = item.entry == nil ? nil : MirrorPlan.Reason(need)
    (wantsContent, wantsPreview) = (need.content != nil, need.preview != nil)
    (isHeld, self.isEdited, isKnown) = (held?.content != nil, isEdited, held != nil)
    canBeConfirmed = held.map { Self.canBeConfirmed(item, need, $0) } ?? false
  }

  private static func canBeConfirmed(
    _ item: MirrorItem, _ need: ItemNeed, _ held: IndexedItem
  ) -> Bool {
    guard need.content == .unsettled, need.preview == nil, let content = held.content,
      held.entry.locators.first == item.entry?.locators.first
    else { return false }
    return ItemQuestion(of: content, mayBeOlder: need.mayBeOlder) != nil
  }

  /// Whether it is an empty file of which nothing has to come.
  var isEmpty: Bool {
    guard let entry, wantsContent, !wantsPreview else { return false }
    return entry.sha256 == .ofNothing && entry.size ?? 0 == 0
  }

  var id: MirrorItem.ID { item.id }
  /// `nil` for an item that can't be used.
  var entry: PlaceableEntry? { item.entry }

  /// As the plan names it; `nil` for an item that can't be used.
  var told: MirrorPlan.Fetch? {
    guard let entry, let reason else { return nil }
    return MirrorPlan.Fetch(
      of: entry.listed, reason: reason, wantsContent: wantsContent, wantsPreview: wantsPreview)
  }
}

extension MirrorPlan.Reason {
  fileprivate init(_ need: ItemNeed) {
    switch need.reason {
    case .new?, .unusable?, nil: self = .new
    case .changed?: self = .changed
    case .damaged?: self = .damaged
    case .deleted?: self = .deleted
    case .unsettled?:
      switch need.doubt {
      case .unversioned?, nil: self = .unversioned
      case .recent?: self = .recent
      case .unproven?: self = .unproven
      case .moved?: self = .moved
      }
    }
  }
}

/// What stands where an item goes that isn't held.
enum PlaceFinding: Sendable {
  /// A file with the item's bytes, as far as they are asked for.
  case equal
  /// The item's own file, which is held and has the digest that the catalog gives by now.
  case held
  case other
  /// A file of which only the item's bytes will tell.
  case perhapsEqual
  /// A directory with these files of somebody's.
  case directory(foreign: [CatalogKey])
}

extension MirrorPlan {
  /// What is known of a pass of which nothing is done, of the places where its items go, and of the
  /// files that stand where directories above these have to be.
  init(
    _ pass: MirrorPass, places: [CatalogKey: PlaceFinding] = [:], filesAbove: [CatalogKey] = []
  ) {
    fetches.reserveCapacity(pass.decided.planned.count)
    let misplacedIDs = pass.decided.misplaced
    for item in pass.decided.planned where misplacedIDs.isEmpty || misplacedIDs[item.id] == nil {
      add(pass.plannedFetch(of: item), places.isEmpty ? nil : item.id.key.flatMap { places[$0] })
    }
    let listing = pass.fetched?.listing
    let unusable = listing.map { $0.unusable + $0.keyless.named } ?? []
    unusableCount = unusable.count + (listing?.keyless.unnamed ?? 0)
    self.unusable = unusable.prefix(1_000).map {
      MirrorReport.Failure(key: MirrorItem.unusable($0).id.description, $0)
    }
    let misplaced = pass.decided.planned.compactMap { planned in
      pass.decided.misplaced[planned.id].map {
        MirrorReport.Failure(key: planned.id.description, $0.error)
      }
    }
    unusableCount += misplaced.count
    self.unusable += misplaced.prefix(1_000 - self.unusable.count)
    let vanished = pass.rows(of: Set((pass.vanished ?? []).map(MirrorItem.ID.key)))
    removals = vanished.filter(pass.view.hasSomething).map(\.key.description)
    displacements += vanished.filter { pass.view.isEdited($0.key) }
      .map { Displacement(key: $0.key.description, reason: .edited) }
    displacements += Self.displaced(filesAbove, by: pass)
    let packs = pass.decided.packs
    packed = packs.previews.files + packs.contents.files
    packRequests = packs.previews.requests.count + packs.contents.requests.count
    packParts = packs.previews.parts + packs.contents.parts
    (kept, outside) = (pass.report.kept, pass.report.outside)
    leaving = pass.report.leaving
    hasNewScope = pass.report.hasNewScope
    leftOut = (listing?.leftOut ?? []).map(LeftOut.init)
    remarks = listing?.notes.remarks ?? []
    wasUnchanged = listing?.isUnchanged ?? false
    partial = listing?.partialReasons ?? []
    unreadable = (listing?.unreadable ?? []).map(MirrorReport.Failure.init)
  }

  /// Files that are ours as they are either stay or are removed.
  private static func displaced(_ files: [CatalogKey], by pass: MirrorPass) -> [Displacement] {
    files.compactMap { file in
      let isEdited = pass.view.isEdited(file)
      guard isEdited || pass.view.rows[file]?.content == nil,
        !(pass.vanished?.contains(file) ?? false)
      else { return nil }
      return Displacement(key: file.description, reason: isEdited ? .edited : .inTheWay)
    }
  }

  private mutating func add(_ planned: PlannedFetch, _ finding: PlaceFinding?) {
    guard let told = planned.told else { return }
    let isEdited = planned.isEdited
    switch finding {
    case .equal?:
      adoptions.append(told.key)
      return
    case .held?: return
    case .other?:
      displacements.append(Displacement(key: told.key, reason: isEdited ? .edited : .inTheWay))
    case .perhapsEqual?: displacements.append(Displacement(key: told.key, reason: .unlessEqual))
    case .directory(let foreign)?:
      displacements += foreign.map { Displacement(key: $0.description, reason: .inTheWay) }
    case nil: break
    }
    if planned.canBeConfirmed {
      asks.append(told)
    } else if planned.isEmpty {
      empties.append(told)
    } else if let sources = planned.sources {
      copies.append(Copy(item: told, content: sources.content, preview: sources.preview))
    } else {
      fetches.append(told)
    }
  }
}
