import SyncFetching
import SyncFolder

/// A preview in the staging area.
struct ArrivedPreview {
  let staged: Staged
  let name: String
  /// How many of its bytes came in this run.
  var received: Int64 = 0
  /// What it was made of instead.
  var source: CopySource?

  /// `nil` for what is held already.
  init?(_ outcome: ItemMeans.Outcome, of entry: PlaceableEntry, at url: String) {
    switch outcome {
    case .made(let staged, let held):
      (self.staged, source) = (staged, held?.source)
      if case .preview(let other) = held?.place {
        name = PreviewName.make(for: entry.key, like: other)
      } else {
        name = PreviewName.make(for: entry.key, mediaType: nil, url: url)
      }
    case .unpacked(let staged):
      (self.staged, received) = (staged, staged.size)
      name = PreviewName.make(for: entry.key, mediaType: nil, url: url)
    case .arrived(.staged(_, let staged, let answer)):
      (self.staged, received) = (staged, answer.bodyBytes)
      name = PreviewName.make(for: entry.key, mediaType: answer.mediaType, url: answer.url)
    case .adopted, .proven, .arrived(.confirmed): return nil
    }
  }
}
