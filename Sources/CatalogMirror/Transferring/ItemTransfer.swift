import SyncFetching
import SyncFiles
import SyncFolder
import SyncText
import SyncTransport

/// Fetches the bytes of one item or preview into the staging area, and checks them.
struct ItemTransfer: Sendable {
  struct Target: Sendable {
    var locators: [String]
    var size: Int64?
    /// What a directory's listing says of the size, rounded; `nil` where nothing does.
    var roughSize: Int64?
    var sha256: SHA256Digest?
    var checks: [ContentDigest] = []
    var algorithms: Set<ContentDigest.Algorithm> = []
    /// In seconds since 1970; `nil` goes by what the answer says.
    var modified: Double?
    /// How to find out whether what is held is still right, when only another state is wanted; it
    /// speaks of the first locator.
    var question: ItemQuestion?
    /// Whether caches on the way are passed by, since the catalog was listed after what they have.
    var passesCaches = false
    /// Under what a part of it is kept for the next run; `nil` keeps none.
    var identity: PartialIdentity?
    /// Where it may come together with others; `nil` where it doesn't.
    var piece: PackStreams.Piece?

    /// All digests that the bytes are held against.
    var digests: [ContentDigest] { (sha256.map { [ContentDigest($0)] } ?? []) + checks }

    /// Whether its digest is that of an empty file, and nothing speaks against it.
    var isEmpty: Bool { sha256 == .ofNothing && size ?? 0 == 0 }

    /// Whether a digest tells the bytes from all others.
    var isProven: Bool { sha256 != nil || checks.contains { $0.algorithm.provesEquality } }

    /// Whether a length is what the rounded size stands for.
    func isAbout(_ length: Int64?) -> Bool {
      guard let roughSize, let length else { return false }
      return roughSize.roundsWell(length)
    }

    /// Whether bytes of a length that are called coded are the file itself: its name is one of
    /// packed files, and the length fits. What doesn't shrink has about the same length packed, so
    /// that the length alone tells nothing.
    func isPackedItself(_ length: Int64?) -> Bool {
      // Apache looks at each part of a name, so that it calls `a.tar.gz.asc` coded, too.
      isAbout(length) && nameParts.contains { Self.packedEndings.contains($0) }
    }

    /// Whether its name is one of gzip files, as what is inside will tell.
    var isNamedGzip: Bool { nameParts.last.map { Self.gzipEndings.contains($0) } ?? false }

    private var nameParts: [Substring] {
      let path = locators.first.flatMap { URLReference($0) }?.path ?? ""
      let parts = (path.split(separator: "/").last ?? "").lowercased().split(separator: ".")
      return Array(parts.dropFirst())
    }

    private static let gzipEndings: Set<Substring> = ["gz", "svgz", "tgz"]
    private static let packedEndings = gzipEndings.union([
      "br", "bz2", "lz", "lz4", "lzma", "tbz", "tbz2", "txz", "tzst", "xz", "z", "zst",
    ])
  }

  indirect enum Outcome: Sendable {
    /// The answer's `bodyBytes` are those of the file that came in this run.
    case fetched(Staged, ByteAnswer)
    /// What is held is still right.
    case notModified
  }

  let source: any ByteSource
  let staging: Staging
  let partials: PartialFiles
  let fileQueue: any DiskQueue
  /// Where partial files are flushed while they grow.
  let flushQueue: any DiskQueue
  let maximumSize: Int64
  let allowsUnframed: Bool
  let allowsCoded: Bool
  /// How many streams a large file may have.
  let streams: StreamRules
  let observer: MirrorObserver

  /// Whether an earlier run left a part that can be gone on with, as far as its record tells.
  func hasPart(of target: Target) -> Bool {
    guard let locator = target.locators.first, let record = part(of: target, from: locator)
    else { return false }
    return StrongValidator(stored: record.validator) != nil
  }

  /// What is recorded of a part that an earlier run left from a locator.
  func part(of target: Target, from locator: String) -> PartialRecord? {
    guard !partials.isEmpty, let slot = target.identity?.slot,
      let record = partials.record(of: slot),
      record.locator == SHA256Digest(of: locator.utf8).description
    else { return nil }
    return record
  }

  /// Fetches from the first locator that gives the right bytes.
  /// - Throws: what the last locator failed with: ``ItemError``, `TransportError`, ``FolderError``.
  func fetch(_ target: Target) async throws -> Outcome {
    if try await isStillHeld(target) { return .notModified }
    var failure: any Error = ItemError.unframed
    for (place, locator) in target.locators.enumerated() {
      do {
        return place == 0
          ? try await fetchChecked(target, from: locator)
          : try await fetchChecked(target.withoutValidators, from: locator).withoutValidators
      } catch let error as CancellationError {
        throw error
      } catch let error as FolderError {
        throw error  // another place to fetch from doesn't mend our disk
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Whether `HEAD` tells that what is held is still right. Where it tells nothing, as some servers
  /// refuse it, the item is asked for.
  private func isStillHeld(_ target: Target) async throws -> Bool {
    guard let question = target.question, question.etag == nil, let known = question.known,
      let locator = target.locators.first, locator.hasPrefix("http")
    else { return false }
    var request = ByteRequest(url: locator)
    request.method = .head
    request.bypassesCaches = target.passesCaches
    do {
      return known.isOf(try await source.fetch(request, into: NoBody()))
    } catch is TransportError {
      return false
    }
  }

  /// Wrong bytes are asked for once more, past all caches.
  private func fetchChecked(_ target: Target, from locator: String) async throws -> Outcome {
    do {
      return try await fetchOnce(target, from: locator, bypassesCaches: false)
    } catch let error as ItemError where error.mayBeStale {
      return try await fetchOnce(target, from: locator, bypassesCaches: true)
    }
  }

  private func fetchOnce(
    _ target: Target, from locator: String, bypassesCaches: Bool
  ) async throws -> Outcome {
    // What wrong bytes are replaced by is made of one piece.
    let parted = bypassesCaches ? nil : PartedTransfer(self, target, from: locator)
    if let outcome = try await parted?.fetch() { return outcome }
    let sink = StagingSink(self, target, from: locator, joinsParts: !bypassesCaches)
    do {
      try await sink.takeUp()
      let outcome = try await fetch(
        target, from: locator, bypassesCaches: bypassesCaches, into: sink)
      parted?.cameInOnePiece()
      return outcome
    } catch {
      throw await sink.letGo(after: error)
    }
  }

  private func fetch(
    _ target: Target, from locator: String, bypassesCaches: Bool, into sink: StagingSink
  ) async throws -> Outcome {
    var request = ByteRequest(url: locator)
    request.bypassesCaches = bypassesCaches || target.passesCaches
    request.etag = bypassesCaches ? nil : target.question?.etag
    request.rest = { sink.rest() }
    request.check = { try sink.check($0) }
    if target.size == nil, target.sha256 == nil, target.checks.isEmpty {
      request.recognises = { $0.isNotModified || target.isAbout($0.declaredLength) }
    }
    let answer: ByteAnswer
    do {
      answer = try await fetch(request, into: sink)
    } catch is StagingSink.IsHeldAlready {
      await sink.discardAside()
      return .notModified
    }
    if answer.isNotModified {
      guard request.etag != nil else { throw ItemError.unaskedNotModified }
      await sink.discardAside()
      return .notModified
    }
    return try await end(answer, sink, target)
  }

  /// Ends what an answer brought, and checks it.
  func end(
    _ answer: ByteAnswer, _ sink: StagingSink, _ target: Target
  ) async throws -> Outcome {
    // To end a small file takes less time than the way to the queue and back.
    let (staged, received) =
      try await sink.isSmall ? sink.finish() : fileQueue.run { try sink.finish() }
    return try await accept(
      staged, received: received, answer, mediaType: sink.mediaType, target)
  }

  /// Checks a file that came, and was made by an answer.
  /// - Parameter mediaType: What the whole was said to be: a part needn't repeat it.
  func accept(
    _ staged: Staged, received: Int64, _ answer: ByteAnswer, mediaType: String?, _ target: Target
  ) async throws -> Outcome {
    if let listed = target.roughSize, Self.isFar(received, from: listed) {
      try await fileQueue.run { [staging] in staging.discard(staged) }
      throw ItemError.farFromListed(received, listed: listed)
    }
    if let digest = staged.digests.mismatch(among: target.digests) {
      try await fileQueue.run { [staging] in staging.discard(staged) }
      throw ItemError.digestDiffers(digest.algorithm)
    }
    var answer = answer
    answer.bodyBytes = received
    answer.mediaType = answer.mediaType ?? mediaType
    return .fetched(staged, answer)
  }

  /// Whether a size can't be what a rounded one stands for. Units of 1,000 and of 1,024 and any
  /// rounding stay far within the double and the half; small sizes are rounded coarsely.
  static func isFar(_ size: Int64, from rough: Int64) -> Bool {
    rough >= 4_096 && (size < rough / 2 || size / 2 > rough)
  }

  /// Asks for the whole where a server can't give the rest.
  private func fetch(
    _ request: ByteRequest, into sink: StagingSink
  ) async throws -> ByteAnswer {
    do {
      return try await source.fetch(request, into: sink)
    } catch  where error.refusesPart && sink.hasAskedForRest {
      try await fileQueue.run { sink.joinNoMore() }
      return try await source.fetch(request, into: sink)
    }
  }
}

extension ItemTransfer.Target {
  /// For another locator than the first: two servers may give different bytes the same tag.
  fileprivate var withoutValidators: Self {
    var target = self
    (target.question, target.passesCaches) = (nil, false)
    return target
  }
}

extension ItemTransfer.Outcome {
  fileprivate var withoutValidators: Self {
    guard case .fetched(let staged, var answer) = self else { return self }
    (answer.etag, answer.lastModified) = (nil, nil)
    return .fetched(staged, answer)
  }
}

extension SHA256Digest {
  /// The digest of an empty file.
  static let ofNothing = SHA256Digest(of: [UInt8]())
}
