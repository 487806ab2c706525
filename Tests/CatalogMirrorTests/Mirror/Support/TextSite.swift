import SyncLock
import SyncTransport
import SynchronizerTesting

@testable import CatalogMirror
@testable import SyncText

/// A site of texts by key with their catalog, which serves each text in two halves and misbehaves
/// on demand.
final class TextSite: Transport {
  typealias Interception = SourceInterception<MirrorItem.ID>

  private struct State {
    var texts: [CatalogKey: String] = [:]
    var interception: Interception?
  }

  private let state = Locked(State())

  func set(_ texts: [CatalogKey: String]) { state.withLock { $0.texts = texts } }

  func intercept(_ interception: Interception?) {
    state.withLock { $0.interception = interception }
  }

  func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let texts = state.withLock { $0.texts }
    let isCatalog = request.address.text == RunTestCase.catalogURL
    let key = texts.keys.first { request.address.text == Self.url(of: $0) }
    let body = isCatalog ? try Self.catalog(texts) : key.flatMap { texts[$0] }
    let bytes = Array((body ?? "").utf8)
    let head = HTTPHead(
      address: request.address, status: body == nil ? 404 : 200,
      framing: .length(Int64(bytes.count)))
    if isCatalog { try await reach(.list) }
    try receiver.begin(head, resumption: Resumption {})
    try Self.send(bytes.prefix(bytes.count / 2), to: receiver)
    if let key { try await reach(.content(.key(key))) }
    try Task.checkCancellation()
    try Self.send(bytes.dropFirst(bytes.count / 2), to: receiver)
    return HTTPResponse(head: head, bodyBytes: Int64(bytes.count))
  }

  private func reach(_ moment: Interception.Moment) async throws {
    guard let interception = state.withLock({ $0.interception }), interception.moment == moment
    else { return }
    try await interception.action()
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to receiver: any BodyReceiver) throws {
    guard !bytes.isEmpty else { return }
    _ = try bytes.withUnsafeBytes { try receiver.receive($0) }
  }

  private static func url(of key: CatalogKey) -> String {
    RunTestCase.root + PercentEncoding.encode(path: key.bytes)
  }

  private static func catalog(_ texts: [CatalogKey: String]) throws -> String {
    let things = texts.sorted { $0.key < $1.key }
      .map { Thing(String(decoding: $0.key.bytes, as: UTF8.self), $0.value) }
    return try CatalogMirrorTests.catalog(things)
  }
}
