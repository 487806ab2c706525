public import SyncFolder
import SyncText

/// A run that is under way in a folder, as it says so itself there.
public struct RunningMirror: Sendable, Equatable {
  /// Who it is, and since when; `nil` when it has only just begun.
  public var holder: LockHolder?
  /// The catalog that it follows, without secrets; `nil` where that isn't known.
  public var catalog: String?
  /// How far it was when it last said so; `nil` when it hasn't yet.
  public var progress: MirrorProgress?

  /// A run of which this is known.
  public init(holder: LockHolder?, catalog: String? = nil, progress: MirrorProgress? = nil) {
    (self.holder, self.catalog, self.progress) = (holder, catalog, progress)
  }
}

extension RunningMirror {
  private static let format: Int64 = 1

  /// What is written into the folder: an object of JSON on one line.
  var written: [UInt8] {
    JSONWriter.object { object in
      object.add("status", Self.format)
      if let holder {
        object.add("process", Int(holder.process))
        object.add("since", holder.since)
      }
      if let catalog { object.add("catalog", catalog) }
      guard let progress else { return }
      object.add("stage", progress.stage.rawValue)
      object.add("pages", progress.pages)
      object.add("items", progress.itemsDone)
      object.add("itemsTotal", progress.itemsTotal)
      object.add("bytes", progress.bytesDone)
      object.add("bytesTotal", progress.bytesTotal)
      object.add("failed", progress.failed)
    } + [UInt8(ascii: "\n")]
  }

  /// What was written; `nil` for anything else.
  init?(written bytes: [UInt8]) {
    guard let value = try? JSONValue(bytes, in: bytes.indices, nesting: 4),
      let object = JSONObject(value), object["status"]?.integer == Self.format,
      let process = object["process"]?.integer.flatMap(Int32.init(exactly:)),
      let since = object["since"]?.string
    else { return nil }
    holder = LockHolder(process: process, since: since)
    catalog = object["catalog"]?.string
    progress = MirrorProgress(object)
  }
}

extension MirrorProgress {
  fileprivate init?(_ object: JSONObject) {
    guard let stage = object["stage"]?.string.flatMap(MirrorStage.init) else { return nil }
    self.init()
    self.stage = stage
    pages = Int(object["pages"]?.integer ?? 0)
    itemsDone = Int(object["items"]?.integer ?? 0)
    itemsTotal = Int(object["itemsTotal"]?.integer ?? 0)
    bytesDone = object["bytes"]?.integer ?? 0
    bytesTotal = object["bytesTotal"]?.integer ?? 0
    failed = Int(object["failed"]?.integer ?? 0)
  }
}
