import SyncLock
import DocumentTesting
import XCTest

@testable import DocumentSync

/// Somebody takes a file out of its document, or puts it in again, while a sync asks the server.
///
/// Where another document got a file just then, too, the end of the request was written over what
/// they had done: a file that was put in again while it was being removed was never sent, and one
/// that was taken out while it was being sent stayed at the server.
final class FileEditTests: XCTestCase {
  private let rig = FileRig()
  /// What somebody does while a request is under way, once.
  private let deed = Locked<(@Sendable (FileRequest) async throws -> Bool)?>(nil)

  private func replica() async throws -> SyncedReplica {
    let inner = rig.server.endpoint(named: "here")
    let here = try await rig.replica { [deed] request in
      let reply = try await inner.file(request)
      if let act = deed.withLock({ $0 }), try await act(request) { deed.withLock { $0 = nil } }
      return reply
    }
    for id in [.milk, bread] { try await here.save(id, ["n": 1]) }
    return here
  }

  private func sizes() -> [Int] { rig.server.state.files.values.map(\.count).sorted() }

  func testAFileThatIsPutInAgainWhileItIsRemovedIsSentAgain() async throws {
    let here = try await replica()
    try await rig.attach(here, [1])
    try await here.sync()
    _ = try await here.store.edit { try $0.detach("picture", of: .milk) }
    deed.withLock {
      $0 = { [rig] request in
        guard case .remove = request else { return false }
        try await rig.attach(here, [1])
        try await rig.attach(here, [1, 2, 3], to: bread)
        return true
      }
    }
    try await here.sync()
    for _ in 0..<2 { try await here.sync() }
    XCTAssertNil(deed.withLock { $0 == nil ? nil : "it wasn't done" })
    XCTAssertEqual(sizes(), [1, 3])
  }

  func testAFileThatIsTakenOutWhileItIsSentIsRemoved() async throws {
    let here = try await replica()
    try await rig.attach(here, [1])
    deed.withLock {
      $0 = { [rig] request in
        guard case .store = request else { return false }
        try await rig.attach(here, [1, 2])
        try await rig.attach(here, [1, 2, 3], to: bread)
        return true
      }
    }
    try await here.sync()
    for _ in 0..<2 { try await here.sync() }
    XCTAssertNil(deed.withLock { $0 == nil ? nil : "it wasn't done" })
    XCTAssertEqual(sizes(), [2, 3])
  }
}
