import SyncFolder
import SyncLock

/// What comes together with others.
extension ItemDownloads {
  /// What is to come so is known.
  func planPacks(_ plans: PackPlans, of items: [MirrorItem]) {
    packs.planned(
      plans, of: items, by: means.transfer, width: context.options.effectiveConcurrency)
  }

  /// Whether an earlier run left a part of an item that can be gone on with.
  func hasPart(of entry: CatalogEntry) -> Bool {
    !context.session.partials.isEmpty && means.transfer.hasPart(of: ItemTransfer.Target(entry))
  }

  /// Hands on what has come whole, though the downloads were cut short before it was asked for.
  func keepUnasked() {
    for (item, staged) in packs.takeRest(discarding: context.session.staging) {
      guard case .success(let wanted)? = pass.withLock({ $0.contentStep(of: item) }),
        !wanted.comesLast, staged.sha256 == wanted.entry.sha256,
        (try? place(item, staged, nil, received: staged.size, as: wanted)) != nil
      else {
        context.session.staging.discard(staged)
        continue
      }
      packs.countKept()
    }
  }
}
