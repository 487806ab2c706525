import SyncLock
import SyncTransport
import SynchronizerTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// What is under way is cut when nothing else can go well either.
final class RunStopTests: XCTestCase {
  private let fatal = FolderError(.folderChanged, "the folder")

  func testWhatIsUnderWayIsCancelled() async throws {
    let stop = RunStop()
    let begun = (0..<8).map { _ in Gate() }
    let tasks = begun.map { gate in
      Task {
        try await stop.cutting {
          gate.open()
          try await Gate().wait()
        }
      }
    }
    for gate in begun { try await gate.wait() }
    stop.note(CancellationError())
    XCTAssertNil(stop.reason, "that isn't the end of a run")
    stop.note(fatal)
    for task in tasks {
      let result = await task.result
      XCTAssertThrowsError(try result.get()) { XCTAssert($0 is CancellationError, "\($0)") }
    }
    XCTAssertEqual((stop.reason as? FolderError)?.code, .folderChanged)
  }

  func testWhatComesAfterTheEndDoesntBegin() async throws {
    let stop = RunStop()
    stop.note(fatal)
    let hasBegun = Locked(false)
    do {
      try await stop.cutting { hasBegun.withLock { $0 = true } }
      XCTFail("it ran")
    } catch is CancellationError {}
    XCTAssertFalse(hasBegun.withLock { $0 })
  }

  func testWhatEndsWhileTheRunEndsIsLeftAlone() async throws {
    for _ in 0..<200 {
      let stop = RunStop()
      let tasks = (0..<4).map { number in
        Task { try await stop.cutting { number } }
      }
      stop.note(fatal)
      for (number, task) in tasks.enumerated() {
        switch await task.result {
        case .success(let value): XCTAssertEqual(value, number)
        case .failure(let error): XCTAssert(error is CancellationError, "\(error)")
        }
      }
    }
  }
}
