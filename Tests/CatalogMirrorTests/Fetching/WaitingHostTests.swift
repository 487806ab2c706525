import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// How many downloads are begun where nobody gave a number.
final class WaitingHostTests: RunTestCase {
  /// Workers are taken on as they are of use for a server; those there were waited for one that
  /// didn't answer, and nobody was there to ask another.
  func testWhatWaitsForOneHostKeepsNobodyFromAnother() async throws {
    let gate = Gate()
    let slow = (0..<100).map { number in
      Thing("a\(number)", "x") { $0.urls = ["https://slow.test/\(number)"] }
    }
    try serve(slow + [Thing("z", "text")])
    for number in slow.indices {
      var answer = Site.Answer.text("x")
      answer.headGate = gate
      try site.answer("https://slow.test/\(number)", answer)
    }
    let isAsked = Gate()
    var answer = Site.Answer.text("text")
    answer.arrival = isAsked
    try site.answer(Self.root + "z", answer)
    let mirror = mirror()
    async let run = mirror.sync()
    // Never, if only the other host is asked.
    try await isAsked.wait()
    gate.open()
    try await assertEqual(run.added, 101)
  }
}
