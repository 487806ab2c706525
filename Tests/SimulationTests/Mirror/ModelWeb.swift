import SyncLock
import SyncTransport

@testable import CatalogMirror

/// A web site in a simulated world; the seed decides what it does wrong, how long it takes and in
/// what pieces it answers.
final class ModelWeb: Transport {
  /// How a run finds the site.
  struct Weather: Sendable {
    var fault = CatalogFault.none
    /// One request in so many goes wrong; 0 is never.
    var itemFaults = 0
    var pages = 1
    /// Whether the catalog says in which packs its files lie.
    var hasPacks = false
    /// The most requests at once.
    var width = 1
  }

  struct State: Sendable {
    var publication = Publication()
    var weather = Weather()
    /// The revision that was served last.
    var lastRevision = 0
    var isOpen = false
    /// The process that asks is dead: nothing reaches the site any more.
    var isCutOff = false
    var underWay = 0
    var asked: [String] = []
    var busyAnswers = 0
  }

  static let root = "https://mirror.test/pub/"
  static let catalog = root + "catalog.ndjson"

  let world: World
  let state = Locked(State())

  init(_ world: World) {
    self.world = world
  }

  /// The paths of all requests since the run began, from the site's root.
  var asked: [String] { state.withLock { $0.asked } }

  /// A run begins.
  func open(_ weather: Weather) {
    state.withLock { state in
      state.lastRevision = state.publication.revision
      let before = state.weather
      let isSame =
        (weather.fault, weather.pages, weather.hasPacks)
        == (before.fault, before.pages, before.hasPacks)
      if !isSame { state.publication.revise() }
      state.weather = weather
      (state.asked, state.busyAnswers, state.isOpen, state.isCutOff) = ([], 0, true, false)
    }
  }

  /// The run is over: no request may come.
  func shut() {
    let underWay = state.withLock { state in
      state.isOpen = false
      return state.underWay
    }
    world.expect(underWay == 0, "\(underWay) requests are under way after the run")
  }

  /// The process that asks has died.
  func cutOff() { state.withLock { $0.isCutOff = true } }

  func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    begin(request)
    defer { state.withLock { $0.underWay -= 1 } }
    do {
      let response = try await answer(request, into: receiver)
      world.note("\(response.status) with \(response.bodyBytes) bytes")
      return response
    } catch {
      world.note("broken: \(request.address.path)")
      throw error
    }
  }

  private func begin(_ request: HTTPRequest) {
    let path = String(request.address.path.dropFirst("/pub/".count))
    world.note("asks for \(path)")
    let (isOpen, excess) = state.withLock { state in
      state.underWay += 1
      state.asked.append(path)
      let most = path.hasPrefix("catalog") ? CatalogSource.width : state.weather.width
      return (state.isOpen, state.underWay - most)
    }
    world.expect(isOpen, "\(path) is asked for after the run")
    world.expect(excess <= 0, "\(excess) requests too many at once")
  }

  private func answer(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    try await pause()
    let answer = decide(request)
    if let refusal = answer.refusal { throw TransportError(refusal, at: request.address) }
    let head = answer.head(for: request)
    try receiver.begin(head, resumption: Resumption {})
    let body = head.framing == .noBody ? [] : answer.body
    let end = min(answer.cut ?? body.count, body.count)
    var sent = 0
    while sent < end {
      let most = end - sent
      let piece = min(most, most < 4_096 ? world.number(1...most) : world.number(1...200_000))
      try body[sent..<sent + piece].withUnsafeBytes { bytes in
        let demand = try receiver.receive(bytes)
        world.expect(demand == .more, "the receiver pauses")
      }
      sent += piece
      try await pause()
    }
    if answer.cut != nil, answer.isFramed {
      let code: TransportError.Code = world.oneIn(2) ? .interrupted : .shortBody
      throw TransportError(code, at: request.address)
    }
    return HTTPResponse(head: head, bodyBytes: Int64(sent))
  }

  private func pause() async throws {
    let isCutOff = state.withLock { $0.isCutOff }
    if isCutOff { throw TransportError(.couldNotConnect, at: "nowhere") }
    try await world.pause()
    try Task.checkCancellation()
  }
}
