import SyncText

/// How far `verify` is.
extension MirrorObserver {
  /// Every byte of these items is about to be read.
  func beginVerifying(_ items: [IndexedItem], wantsContents: Bool) {
    enter(.verify)
    update { progress in
      for item in items {
        progress.itemsTotal += item.fileCount(wantsContents: wantsContents)
        progress.bytesTotal = progress.bytesTotal.addingSaturated(item.heldBytes)
      }
    }
  }

  /// An item was read, and found so.
  /// - Parameter bytes: Of it and of all before it, as they should be; a file that is gone or has
  ///   another size is done with, too.
  func verified(_ found: MirrorVerification, bytesUntilNow bytes: Int64) {
    update { progress in
      progress.itemsDone += found.files
      progress.bytesDone = bytes
      progress.failed += found.problems.count
    }
  }

  /// What was verified is repaired now, which is work of its own.
  func beginRepairing() {
    update { $0 = MirrorProgress() }
  }
}

extension IndexedItem {
  /// The bytes of its files, as the index has them.
  var heldBytes: Int64 { (content?.size ?? 0).addingSaturated(preview?.size ?? 0) }

  fileprivate func fileCount(wantsContents: Bool) -> Int {
    (content != nil || wantsContents ? 1 : 0) + (preview != nil ? 1 : 0)
  }
}
