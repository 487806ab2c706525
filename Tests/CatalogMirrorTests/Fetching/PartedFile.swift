import Foundation
import SyncLock
import SyncTransport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A file on a site that serves its rest to who asks for it with the right `If-Range`, and cuts its
/// answers where it is told to.
final class PartedFile: Sendable {
  private struct State {
    var cuts: [Int]
    var change: @Sendable (inout Site.Answer) -> Void = { _ in }
  }

  let url: String
  let bytes: [UInt8]
  private let framing: Framing?
  private let validators: [(String, String)]
  private let state: Locked<State>

  /// - Parameters:
  ///   - cuts: after how many bytes each of the first answers breaks off.
  ///   - framing: what vouches for the ends of its answers; by default their length.
  ///   - validators: the headers that tell its state.
  init(
    _ url: String, _ text: String, cuts: [Int] = [], framing: Framing? = nil,
    validators: [(String, String)] = [("ETag", "\"1\"")]
  ) {
    self.url = url
    bytes = Array(text.utf8)
    self.framing = framing
    self.validators = validators
    state = Locked(State(cuts: cuts))
  }

  /// Changes every answer to a request for a part.
  func onPart(_ change: @escaping @Sendable (inout Site.Answer) -> Void) {
    state.withLock { $0.change = change }
  }

  /// Has a site serve it.
  func place(on site: Site) {
    Self.place([self], on: site)
  }

  /// Has a site serve all of them.
  static func place(_ files: [PartedFile], on site: Site) {
    let files = Dictionary(files.map { ($0.url, $0) }) { $1 }
    site.onRequest { request, _ in
      guard let file = files[request.address.text] else { return }
      try site.answer(file.url, file.answer(to: request))
    }
  }

  private func answer(to request: HTTPRequest) -> Site.Answer {
    state.withLock { state in
      let validator = validators.first?.1
      let offset = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
      var answer = Site.Answer(headers: HTTPHeaders(validators), body: bytes)
      if let offset, request.headers["If-Range"] == validator {
        answer.status = 206
        answer.headers.add("Content-Range", "bytes \(offset)-\(bytes.count - 1)/\(bytes.count)")
        answer.body = Array(bytes[offset...])
        state.change(&answer)
      }
      if framing != .length(Int64(bytes.count)) { answer.framing = answer.framing ?? framing }
      if !state.cuts.isEmpty {
        answer.framing = answer.framing ?? .length(Int64(answer.body.count))
        answer.body = Array(answer.body.prefix(state.cuts.removeFirst()))
        answer.breakage = .interrupted
      }
      return answer
    }
  }
}

extension RunTestCase {
  /// A text that is worth being kept, and of which no two parts are the same.
  static func longText(_ word: String = "text", lines: Int = 200_000) -> String {
    (0..<lines).map { "\(word) \($0)\n" }.joined()
  }

  /// A run whose waits between the attempts of a fetch take no time.
  func syncRetrying(
    _ retries: Int, _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorReport {
    site.forgetLog()
    var environment = environment
    environment.clock = ImmediateClock()
    var options = mirror(change).options
    options.retries = retries
    return try await FolderMirror(options, in: environment).sync()
  }

  /// The `Range` of each request for an item, in order.
  func ranges(of name: String = "a") -> [String?] {
    site.log.filter { $0.address.path == "/pub/\(name)" }.map { $0.headers["Range"] }
  }
}

/// A clock on which every wait is over at once.
struct ImmediateClock: Clock {
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}
