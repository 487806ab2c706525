import CatalogMirror
import CatalogPublishing
import Console

extension MirrorProgress {
  /// How far publishing is, which reads only what is new.
  init(publishing: PublishProgress?) {
    self.init()
    stage = .publish
    guard let publishing else { return }
    (itemsDone, itemsTotal) = (publishing.files.done, publishing.files.total)
    (bytesDone, bytesTotal) = (publishing.bytes.done, publishing.bytes.total)
  }

  /// How far the run is, in words and numbers for people.
  var work: WorkProgress {
    switch stage {
    case .wait: WorkProgress("waiting for another mirror of the folder to end")
    case .look: WorkProgress("looking at the files")
    case .list:
      WorkProgress("fetching the catalog" + (pages > 0 ? ": \(Amounts.count(pages, "page"))" : ""))
    case .decide: WorkProgress("deciding what to fetch")
    case .previews, .contents: amount(stage.rawValue)
    case .commit: WorkProgress("making everything durable")
    case .remove: WorkProgress("moving what vanished to quarantine")
    case .verify: amount("verifying")
    case .publish: amount("publishing")
    case .done: WorkProgress("done")
    }
  }

  private func amount(_ stage: String) -> WorkProgress {
    guard itemsTotal > 0 else { return WorkProgress(stage) }
    var work = WorkProgress(
      stage,
      WorkProgress.Amount(
        itemsDone: itemsDone, itemsTotal: itemsTotal, bytesDone: bytesDone,
        bytesTotal: bytesTotal > 0 ? bytesTotal : nil))
    let copied = bytesCopied > 0 ? ["\(Amounts.bytes(bytesCopied)) copied"] : []
    work.remark = (copied + (failed > 0 ? ["\(failed) failed"] : [])).joined(separator: ", ")
    return work
  }
}
