import TestSupport
import XCTest

@testable import SyncTransport

/// The values that decide: no network in them.
final class DecisionTests: XCTestCase {
  func testAStallIsASpanWithTooFewBytes() {
    var watch = TransferWatch(StallLimit(bytesPerSecond: 100, span: .seconds(10)), nil)
    let verdict = { (at: Duration) in watch.verdict(at: at, delivered: 0) }
    XCTAssertNil(verdict(.seconds(1000)))
    watch.start(at: .seconds(5))
    XCTAssertNil(verdict(.seconds(5)))
    watch.moved(999)
    XCTAssertNil(verdict(.milliseconds(14_999)))
    watch.moved(1)
    XCTAssertNil(verdict(.seconds(15)))
    XCTAssertNil(verdict(.milliseconds(24_999)), "a new span has begun")
    watch.moved(999)
    watch.stop(at: .seconds(25))
    XCTAssertNil(verdict(.seconds(500)))
    watch.start(at: .seconds(500))
    XCTAssertNil(verdict(.seconds(509)))
    XCTAssertEqual(verdict(.seconds(510)), .stalled)
    watch.forgive(from: .seconds(509), to: .seconds(600))
    XCTAssertNil(verdict(.seconds(609)))
    XCTAssertEqual(verdict(.seconds(610)), .stalled)
  }

  func testATransferMayTakeItsGraceAndWhatItsBytesTake() {
    var watch = TransferWatch(
      StallLimit(bytesPerSecond: 0), PaceLimit(bytesPerSecond: 100, grace: .seconds(60)))
    let verdict = { (at: Duration, bytes: Int64) in watch.verdict(at: at, delivered: bytes) }
    watch.start(at: .seconds(1000))
    XCTAssertNil(verdict(.seconds(1060), 0))
    XCTAssertEqual(verdict(.seconds(1061), 0), .tooSlow)
    XCTAssertNil(verdict(.seconds(1061), 100))
    XCTAssertNil(verdict(.seconds(11_060), 1_000_000))
    // Neither a pause nor a time in which nobody could take bytes counts.
    watch.stop(at: .seconds(1030))
    XCTAssertNil(verdict(.seconds(9000), 0))
    watch.start(at: .seconds(9000))
    watch.forgive(from: .seconds(9010), to: .seconds(9110))
    XCTAssertNil(verdict(.seconds(9130), 0))
    XCTAssertEqual(verdict(.seconds(9131), 0), .tooSlow)
    XCTAssertNil(verdict(.seconds(9131), 100))
  }

  func testTheLineKeepsBothLimitsAndTakesTurns() {
    var line = WaitingLine<String, Int>(limitPerKey: 2, limit: 3)
    for number in 1...4 { line.enter(number, under: "a") }
    line.enter(5, under: "b")
    line.enter(6, under: "b")
    XCTAssertEqual([line.next(), line.next(), line.next(), line.next()], [1, 5, 2, nil])
    line.leave("b")
    XCTAssertEqual([line.next(), line.next()], [6, nil])
    line.leave("b")
    XCTAssertNil(line.next(), "a has its two")
    line.leave("a")
    XCTAssertEqual(line.next(), 3)
    XCTAssertEqual(line.removeAllWaiting(), [4])
    XCTAssertTrue(line.isEmpty)
  }

  func testAKeyWithALimitOfItsOwnDoesNotCountAmongAll() {
    var line = WaitingLine<String, Int>(limitPerKey: 2, limit: 2)
    for number in 1...6 { line.enter(number, under: "a") }
    for number in 7...9 { line.enter(number, under: "b") }
    XCTAssertEqual([line.next(), line.next(), line.next()], [1, 7, nil])
    line.setOwnLimit(4, of: "a")
    XCTAssertEqual(
      [line.next(), line.next(), line.next(), line.next(), line.next()], [2, 8, 3, 4, nil])
    line.leave("a")
    XCTAssertEqual(line.next(), 5)
    line.setOwnLimit(nil, of: "a")
    for _ in 0..<3 { line.leave("a") }
    line.leave("b")
    XCTAssertNil(line.next(), "one of each is under way, as many as may be in all")
    line.leave("a")
    XCTAssertEqual([line.next(), line.next()], [9, nil])
    line.leave("b")
    XCTAssertEqual(line.next(), 6)
  }

  func testTheLineNeverBreaksItsLimitsNorItsOrder() {
    var random = SeededGenerator(seed: 7)
    var line = WaitingLine<Int, (key: Int, number: Int)>(limitPerKey: 3, limit: 7)
    var running: [(key: Int, number: Int)] = []
    var last: [Int: Int] = [:]
    var entered = 0
    while entered < 2000 || !running.isEmpty || !line.isEmpty {
      if entered < 2000, Bool.random(using: &random) {
        let key = Int.random(in: 0..<5, using: &random)
        line.enter((key, entered), under: key)
        entered += 1
      } else if let index = running.indices.randomElement(using: &random) {
        line.leave(running.remove(at: index).key)
      }
      while let next = line.next() {
        XCTAssertLessThan(last[next.key] ?? -1, next.number)
        last[next.key] = next.number
        running.append(next)
      }
      XCTAssertLessThanOrEqual(running.count, 7)
      for key in 0..<5 { XCTAssertLessThanOrEqual(running.count { $0.key == key }, 3) }
    }
  }

  func testProxiesAreChosenAsCurlDoes() throws {
    let environment = [
      "http_proxy": "http://p:1", "HTTPS_PROXY": "http://p:2", "HTTP_PROXY": "http://evil:3",
      "no_proxy": "localhost, .inside.example,10.0.0.0/8 192.168.1.1,[fd00::1],Exact.Example.",
    ]
    let rules = ProxyRules(.environment, environment: environment)
    let table: [(String, String?)] = [
      ("http://h/", "http://p:1"), ("https://h/", "http://p:2"), ("http://localhost/", nil),
      ("http://x.inside.example/", nil), ("http://inside.example/", nil),
      ("http://notinside.example/", "http://p:1"), ("http://10.9.8.7/", nil),
      ("http://11.0.0.1/", "http://p:1"), ("http://192.168.1.1:8080/", nil),
      ("http://[fd00::1]/", nil), ("http://exact.example/", nil),
      ("http://EXACT.example./", nil),
    ]
    for (url, proxy) in table {
      XCTAssertEqual(rules.proxy(for: try WebAddress(url)), proxy, url)
    }
    let address = try WebAddress("http://h/")
    let evil = ["HTTP_PROXY": "http://evil:3"]
    XCTAssertNil(ProxyRules(.environment, environment: evil).proxy(for: address))
    let all = ["ALL_PROXY": "socks5h://s", "http_proxy": ""]
    XCTAssertEqual(ProxyRules(.environment, environment: all).proxy(for: address), "socks5h://s")
    XCTAssertNil(ProxyRules(.none, environment: environment).proxy(for: address))
    let fixed = ProxyRules(.url("http://own"), environment: ["no_proxy": "*"])
    XCTAssertEqual(fixed.proxy(for: address), "http://own")
  }

  func testTheBucketFillsToOneSecondsWorth() {
    var bucket = TokenBucket(bytesPerSecond: 1000)
    XCTAssertEqual(bucket.spend(1000, at: .zero), .zero)
    XCTAssertEqual(bucket.spend(500, at: .zero), .milliseconds(500))
    XCTAssertEqual(bucket.spend(500, at: .milliseconds(500)), .milliseconds(500))
    XCTAssertEqual(bucket.spend(1000, at: .seconds(100)), .zero)
    XCTAssertEqual(bucket.spend(1, at: .seconds(100)), .milliseconds(1))
  }

  func testEveryErrorSaysWhatToDo() {
    let codes: [TransportError.Code] = [
      .invalidAddress, .schemeRefused, .invalidHeader, .couldNotResolve, .couldNotConnect,
      .addressRefused, .timedOut, .stalled, .tooSlow, .interrupted, .shortBody,
      .bodyTooLarge(limit: 1),
      .headersTooLarge, .malformedAnswer, .unaskedCoding, .tls, .withoutTLS, .onlyTLS, .certificate,
      .noCertificates, .badRedirect, .tooManyRedirects,
      .otherRegion("eu-west-1"), .clockDiffers, .keyRefused,
      .status(401), .status(403), .status(404), .status(503), .originGivenUp, .closed, .library(1),
    ]
    let sentences = codes.map { "\(TransportError($0, at: "http://h/", detail: "a\u{1b}[1mb"))" }
    XCTAssertEqual(Set(sentences).count, codes.count)
    for sentence in sentences {
      XCTAssertTrue(sentence.hasPrefix("http://h/: ") && sentence.hasSuffix("."), sentence)
      XCTAssertFalse(sentence.contains("\u{1b}"))
    }
  }
}
