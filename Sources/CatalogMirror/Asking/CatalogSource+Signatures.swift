import SyncFetching
import SyncFiles
import SyncPrograms
import SyncSystem
import SyncText
import SyncTransport

extension CatalogSource {
  /// Fetches the file beside a page that signs it, lists it with its digest, and has the signature
  /// checked where that is asked for.
  ///
  /// A page that was asked for by its digest is as good as the page that names it.
  /// - Throws: ``CatalogError/unsigned(url:_:)``; ``CatalogError/unfetched(url:reason:advice:)``
  ///   where nobody can tell whether there is a signature.
  func settleSignature(of page: inout CatalogPage, _ body: CatalogBody) async throws {
    var signature: [UInt8]?
    if case .beside(let request, let key) = page.terms.signature,
      let bytes = try await bytes(of: request)
    {
      signature = bytes
      page.take(Self.entry(key, request.url, bytes), at: page.count + 1)
    }
    guard let signatures, body.request.sha256 == nil else { return }
    let shown = body.url.redacted
    guard signature != nil || page.terms.signature == .inClear else {
      throw CatalogError.unsigned(url: shown, page.format == .debian ? .none : .unsignable)
    }
    if let problem = try await signatures.problem(with: body.bytes, signature: signature) {
      throw CatalogError.unsigned(url: shown, problem)
    }
  }

  private static func entry(_ key: CatalogKey, _ url: String, _ bytes: [UInt8]) -> ListedEntry {
    let digest = SHA256Digest(of: bytes)
    var entry = CatalogEntry(key: key, locators: [url], version: .digest(digest))
    entry.sha256 = digest
    entry.size = Int64(bytes.count)
    return .entry(entry, settled: true)
  }

  /// A small file; `nil` when there is none.
  private func bytes(of asked: CatalogRequest) async throws -> [UInt8]? {
    let sink = PageSink(ByteAllowance(Self.longestSignature)) { _ in
      LineSieve({ .none }, opened: { _ in nil })
    }
    do {
      _ = try await source.fetch(ByteRequest(url: asked.url), into: sink)
      return try sink.take().rest.bytes
    } catch let error as TransportError {
      guard error.absence == nil else { return nil }
      throw unfetched(asked, error.reason, error.advice)
    } catch let error as FileSourceError {
      guard error.absence == nil else { return nil }
      throw unfetched(asked, error.reason, nil)
    }
  }

  /// The error of a signature: the page that it signs was had.
  private func unfetched(
    _ asked: CatalogRequest, _ reason: String, _ advice: MirrorAdvice?
  ) -> CatalogError {
    let shown = URLReference(asked.url)?.redacted ?? root.redacted
    return .unfetched(url: shown, reason: reason, advice: advice)
  }

  private static let longestSignature = 1 << 20
}

/// Checks signatures with the program `gpgv` (of GnuPG), which takes every key of a keyring for one
/// to be trusted.
struct SignatureCheck: Sendable {
  let keyring: String

  /// The date, in seconds since 1970.
  let now: Double

  /// The name of the program, or its path. Default: `gpgv`.
  var program = "gpgv"

  /// Why a text isn't signed by a key of the keyring, within itself or by a signature beside it;
  /// `nil` where it is. Waits on a thread of its own, and not for long once the task is cancelled.
  func problem(with text: [UInt8], signature: [UInt8]?) async throws -> SignatureProblem? {
    let stop = StopFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { ended in
        SystemThread.start {
          ended.resume(with: Result { try run(text, signature, until: stop) })
        }
      }
    } onCancel: {
      stop.raise()
    }
  }

  private func run(
    _ text: [UInt8], _ signature: [UInt8]?, until stop: StopFlag
  ) throws -> SignatureProblem? {
    let keys: [UInt8]
    do throws(KeyringProblem) {
      keys = try Keyring(path: keyring).bytes
    } catch {
      return .keyring(error)
    }
    // Files without names: nobody can put other bytes in their place. The options are gpgv's own.
    let files = [signature, text].compactMap(\.self).map { ProgramRun.Argument.file($0) }
    let arguments =
      [.word("--" + "status-fd"), .word("1"), .word("--" + "keyring"), .file(keys)] + files
    let (end, status): (ProgramRun.End, [UInt8])
    do throws(Errno) {
      let output = try NamelessFile()
      defer { output.close() }
      end = try ProgramRun.run(
        program, arguments, within: .seconds(60), until: stop, output: output)
      status = output.bytes(atMost: SignatureStatus.longest)
    } catch {
      return .noProgram(error.text)
    }
    switch end {
    // The status is that of all signatures, and one of them suffices.
    case .ended(_, let said): return SignatureStatus(status).problem(at: now, said: said)
    case .killed(let signal): return .killed(by: signal)
    case .overdue: return .overdue
    case .stopped: throw CancellationError()
    case .lost: return .lost
    }
  }

  /// What the program says, each thing once, but for whose signature it looked at.
  static func words(in said: [UInt8]) -> String {
    let lines = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.hasPrefix("gpgv: ") ? $0.dropFirst(6) : $0[...] }
      .filter { !$0.hasPrefix(" ") && !$0.lowercased().hasPrefix("signature made") }
    let once = lines.enumerated().filter { !lines[..<$0.offset].contains($0.element) }
    let words = String(once.map(\.element).joined(separator: "; ").prefix(300))
    return words.isEmpty ? "nothing" : ByteString.escape(words.utf8)
  }
}

/// What `gpgv` says of signatures in the lines that it writes for programs (GnuPG's `doc/DETAILS`,
/// section "Format of the --status-fd output").
struct SignatureStatus {
  /// The words of each line: the first says what it is about.
  private let lines: [[String]]
  private let isCut: Bool

  /// The most bytes of such lines that are looked at.
  static let longest = 1 << 16

  init(_ bytes: [UInt8]) {
    isCut = bytes.count >= Self.longest
    let mark = "[GNUPG:] "
    lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix(mark) }
      .map { $0.dropFirst(mark.count).split(separator: " ").map(String.init) }
      .filter { !$0.isEmpty }
  }

  /// Why no key of the keyring has signed the text; `nil` where one has. One good signature
  /// suffices, and one by a key that isn't known says nothing; but one that is bad, whose time is
  /// over or hasn't come, or whose key is revoked or expired, speaks against all.
  ///
  /// - Parameter said: What the program wrote for people.
  func problem(at now: Double, said: [UInt8]) -> SignatureProblem? {
    for line in lines {
      let key = line.count > 1 ? line[1] : ""
      switch line[0] {
      case "REVKEYSIG": return .revokedKey(key)
      case "EXPKEYSIG": return .expiredKey(key)
      case "EXPSIG": return .expired(key)
      case "VALIDSIG":
        // Its third and fourth words: the date as a day, and in seconds since 1970.
        guard line.count > 3, let date = Int64(line[3]) else {
          return .refused(SignatureCheck.words(in: said))
        }
        if Double(date) > now + ListingVerdict.longestFuture {
          return .ofTheFuture(key, date: date, now: Int64(now))
        }
      default: break
      }
    }
    let words = Set(lines.map { $0[0] })
    let isGood =
      !isCut && words.isSuperset(of: ["GOODSIG", "VALIDSIG"]) && !words.contains("BADSIG")
    return isGood ? nil : .refused(SignatureCheck.words(in: said))
  }
}
