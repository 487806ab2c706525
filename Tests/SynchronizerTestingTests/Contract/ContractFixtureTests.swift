import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// What the contract does with fixtures, good and bad.
final class ContractFixtureTests: XCTestCase {
  /// Counts what is made and closed, and fails on demand.
  private struct CountingFixture: ProcessorFixture {
    struct Counts: Equatable {
      var fixtures = 0
      var tornDown = 0
      var processors = 0
      var closed = 0
    }

    let counts: Locked<Counts>
    var plainKeys = ["a", "b", "c", "d", "e"]
    var oddKeys: [String] = []
    var failsToLook = false
    var promisesToMisbehave = false
    private let inner: MemoryFixture

    init(_ counts: Locked<Counts>, manner: Manner = .oneByOne) {
      self.counts = counts
      inner = MemoryFixture(manner: manner)
      counts.withLock { $0.fixtures += 1 }
    }

    func makeProcessor() -> MemoryProcessor {
      counts.withLock { $0.processors += 1 }
      return inner.makeProcessor()
    }

    func close(_ processor: MemoryProcessor) { counts.withLock { $0.closed += 1 } }
    func setSource(_ contents: [String: String]) { inner.setSource(contents) }

    func localState() throws -> [String: String] {
      if failsToLook { throw TextSource.Vanished() }
      return inner.localState()
    }

    /// Says so and doesn't do it.
    func setInterception(_ interception: SourceInterception<String>?) -> Bool {
      promisesToMisbehave
    }

    func tearDown() { counts.withLock { $0.tornDown += 1 } }
  }

  func testEveryFixtureIsTornDownAndEveryProcessorClosed() async {
    let counts = Locked(CountingFixture.Counts())
    await assertEqual(ProcessorContract.check { CountingFixture(counts) }.violations, [])
    let made = counts.withLock { $0 }
    XCTAssertGreaterThan(made.fixtures, 20)
    XCTAssertEqual(made.fixtures, made.tornDown)
    XCTAssertEqual(made.processors, made.closed)
  }

  func testProcessorsAreClosedAlsoWhenACaseEndsEarly() async {
    let counts = Locked(CountingFixture.Counts())
    let result = await ProcessorContract.check([.repeatedPass]) {
      CountingFixture(counts, manner: .listsTooMuch)
    }
    XCTAssertFalse(result.violations.isEmpty)
    let made = counts.withLock { $0 }
    XCTAssertEqual(made.processors, made.closed)
    XCTAssertEqual(made.fixtures, made.tornDown)
  }

  func testASourceThatNeverCameToMisbehaveIsNotTakenForChecked() async {
    let counts = Locked(CountingFixture.Counts())
    let result = await ProcessorContract.check([.failedList, .failedItem, .interruptedDownload]) {
      var fixture = CountingFixture(counts)
      fixture.promisesToMisbehave = true
      return fixture
    }
    XCTAssertEqual(result.violations, [])
    XCTAssertEqual(Set(result.notChecked.keys), [.failedList, .failedItem, .interruptedDownload])
    XCTAssert(result.description.contains("it never happened that"), "\(result)")
  }

  func testWithoutOddKeysItSaysSo() async {
    let counts = Locked(CountingFixture.Counts())
    let result = await ProcessorContract.check([.oddKeys]) { CountingFixture(counts) }
    XCTAssertEqual(result.notChecked, [.oddKeys: "the fixture gives no odd keys"])
  }

  func testAFixtureThatFailsIsAViolationAndIsTornDown() async {
    let counts = Locked(CountingFixture.Counts())
    let result = await ProcessorContract.check([.firstPass]) {
      var fixture = CountingFixture(counts)
      fixture.failsToLook = true
      return fixture
    }
    XCTAssertEqual(result.violations.map(\.problem), [.fixtureFailed("Vanished()")])
    XCTAssertEqual(counts.withLock { $0.tornDown }, 1)
  }

  func testTooFewKeysAreNamedAsTheFixturesFault() async {
    let counts = Locked(CountingFixture.Counts())
    let result = await ProcessorContract.check([.firstPass]) {
      var fixture = CountingFixture(counts)
      fixture.plainKeys = ["a", "b", "a"]
      return fixture
    }
    XCTAssertEqual(
      result.violations.map(\.problem),
      [.fixtureFailed("plainKeys has 2 different keys; give at least five")])
  }

  func testAFixtureThatCanNotBeMadeIsAViolation() async {
    let result = await ProcessorContract.check([.firstPass]) { () throws -> MemoryFixture in
      throw TextSource.Vanished()
    }
    XCTAssertEqual(result.violations.map(\.problem), [.fixtureFailed("Vanished()")])
  }
}
