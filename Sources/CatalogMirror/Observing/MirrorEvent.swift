public import SyncFolder
import SyncText

/// Something that happened in a run of a mirror, around the engine's own events.
public enum MirrorEvent: Sendable {
  /// Another run holds the folder, and this one waits for it: who it is, where that is known.
  case waiting(for: LockHolder?)
  /// A stage began.
  case stage(MirrorStage)
  /// A page of the catalog came, or was found unchanged.
  case page(url: String, isUnchanged: Bool)
  /// The listing is there; `partial` says why absence from it means nothing, if it doesn't, and
  /// `isNews` whether the last listing said something else.
  case listed(entries: Int, partial: [PartialReason], isNews: Bool)
  /// What is going to be fetched, or made of bytes that are here.
  case planned(items: Int, bytes: Int64)
  /// A transfer succeeded. The reason is `new`, `changed`, `damaged` for what was edited here,
  /// `deleted` for what was deleted here, or `equal` for bytes that turned out to be the same.
  case fetched(key: String, transfer: Transfer, bytes: Int64, reason: String)
  /// A file was made of the bytes of another one that is here, and not fetched; the reason is that
  /// of ``fetched(key:transfer:bytes:reason:)``.
  case copied(key: String, from: CopySource, transfer: Transfer, bytes: Int64, reason: String)
  /// A file that was there already was taken for the item.
  case adopted(key: String)
  /// The server said that what is held is still right.
  case confirmed(key: String)
  /// A file that wasn't ours was moved out of the way, to this path below `.mirror/displaced`.
  case displaced(key: String, to: String)
  /// An item failed; why, in a sentence, and which option of the mirror may help.
  case failed(key: String, sentence: String, advice: MirrorAdvice?)
  /// An item was removed; it lies in quarantine.
  case removed(key: String)
  /// The index was damaged: its file now has this name in `.mirror`, and a new one is made from the
  /// files that the catalog confirms.
  case rebuildingIndex(aside: String)
  /// A pack, at this address, isn't of use for this reason: what is in it comes file by file. At
  /// most four are named in a run; `packsGivenUp` of the report counts all.
  case packGivenUp(url: String, reason: String)
  /// A passing failure; it is tried again.
  case retrying(
    url: String, retry: Int, wait: Duration, reason: String, advice: MirrorAdvice?)

  /// What of an item is transferred.
  public enum Transfer: String, Sendable {
    /// The small stand-in.
    case preview
    /// The bytes themselves.
    case content
  }

  static func failed(key: String, _ error: any Error) -> MirrorEvent {
    .failed(
      key: key, sentence: CatalogMirror.sentence(of: error, about: key),
      advice: CatalogMirror.advice(of: error))
  }
}

/// Where a run is.
public enum MirrorStage: String, Sendable, CaseIterable {
  /// Another run holds the folder, and this one waits for it to end.
  case wait
  /// The files that are ours are looked at; in a sync the catalog is asked for meanwhile.
  case look
  /// The catalog is fetched, and nothing else is done.
  case list
  /// What to fetch is decided.
  case decide
  /// Previews are fetched.
  case previews
  /// Contents are fetched.
  case contents
  /// What was fetched is made durable and recorded.
  case commit
  /// What vanished is moved to quarantine.
  case remove
  /// Every byte is read and compared with what was fetched.
  case verify
  /// Files are read for a catalog that is published.
  case publish
  /// The run has ended.
  case done
}

/// How far a run is. Numbers grow, but where a body has to start over, and for ``bytesTotal``, of
/// which is taken off what an earlier run had fetched already.
public struct MirrorProgress: Sendable, Equatable {
  /// Where it is.
  public var stage = MirrorStage.look
  /// Pages of the catalog that have come.
  public var pages = 0
  /// Items that have been fetched or have failed.
  public var itemsDone = 0
  /// Items that are to be fetched.
  public var itemsTotal = 0
  /// Bytes of items that have come in this run, or were read where they were there already.
  public var bytesDone: Int64 = 0
  /// How many of ``bytesDone`` were copied from files that are here.
  public var bytesCopied: Int64 = 0
  /// Bytes that are to come, as far as the catalog gives sizes.
  public var bytesTotal: Int64 = 0
  /// Items that have failed.
  public var failed = 0

  /// Nothing has happened.
  public init() {}
}

/// A run that is under way in a folder, as it says so itself there.
public struct RunningMirror: Sendable, Equatable {
  /// Who it is, and since when; `nil` when it has only just begun.
  public var holder: LockHolder?
  /// The catalog that it follows, without secrets; `nil` where that isn't known.
  public var catalog: String?
  /// How far it was when it last said so; `nil` when it hasn't yet.
  public var progress: MirrorProgress?

  /// A run of which this is known.
  package init(holder: LockHolder?, catalog: String? = nil, progress: MirrorProgress? = nil) {
    (self.holder, self.catalog, self.progress) = (holder, catalog, progress)
  }

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
      object.add("copied", progress.bytesCopied)
      object.add("bytesTotal", progress.bytesTotal)
      object.add("failed", progress.failed)
    } + [UInt8(ascii: "\n")]
  }

  init?(written bytes: [UInt8]) {
    guard let object = try? JSONValue(bytes, in: bytes.indices, nesting: 4),
      object["status"]?.integer == Self.format,
      let process = object["process"]?.integer.flatMap(Int32.init(exactly:)),
      let since = object["since"]?.string
    else { return nil }
    holder = LockHolder(process: process, since: since)
    catalog = object["catalog"]?.string
    progress = MirrorProgress(object)
  }
}

extension MirrorProgress {
  fileprivate init?(_ object: JSONValue) {
    guard let stage = object["stage"]?.string.flatMap(MirrorStage.init) else { return nil }
    self.init()
    self.stage = stage
    pages = Int(object["pages"]?.integer ?? 0)
    itemsDone = Int(object["items"]?.integer ?? 0)
    itemsTotal = Int(object["itemsTotal"]?.integer ?? 0)
    bytesDone = object["bytes"]?.integer ?? 0
    bytesCopied = object["copied"]?.integer ?? 0
    bytesTotal = object["bytesTotal"]?.integer ?? 0
    failed = Int(object["failed"]?.integer ?? 0)
  }
}
