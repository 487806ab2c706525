import SyncFetching
import SyncText
import SyncTransport

/// Who has signed a page.
extension CatalogSource {
  /// Fetches the file beside a page that signs it, lists it with its digest, and has the signature
  /// checked where that is asked for.
  ///
  /// A page that was asked for by its digest is as good as the page that names it.
  /// - Throws: ``CatalogError/unsigned(url:_:)``; ``CatalogError/unfetched(url:reason:advice:)``
  ///   where nobody can tell whether there is a signature.
  func settleSignature(of page: inout CatalogPage, _ body: CatalogBody) async throws {
    var signature: [UInt8]?
    if case .beside(let request, let key) = page.signature,
      let bytes = try await bytes(of: request)
    {
      signature = bytes
      page.take(Self.entry(key, request.url, bytes), at: page.count + 1)
    }
    guard let signatures, body.request.sha256 == nil else { return }
    let shown = body.url.redacted
    guard signature != nil || page.signature == .inClear else {
      throw CatalogError.unsigned(url: shown, .none)
    }
    do {
      try await signatures.check(body.bytes, signature: signature)
    } catch let error as SignatureProblem {
      throw CatalogError.unsigned(url: shown, error)
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

  /// Bytes of a file that signs another.
  private static let longestSignature = 1 << 20
}
