import Foundation
import SyncLock
import XCTest
@testable import SyncFetching
@testable import SyncFiles
@testable import SyncText

/// A file beside a catalog that is itself a file: what is read of it is one state of it.
final class FileSourceTests: XCTestCase {
  private var folder = URL(filePath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

  private func read(
    _ sink: ChangingSink, at url: String? = nil,
    check: @escaping @Sendable (ByteAnswer) throws -> Void = { _ in }
  ) async throws -> ByteAnswer {
    let catalog = try XCTUnwrap(URLReference("file://\(folder.path)/catalog.ndjson"))
    let source = try FileSource(catalog: catalog, queue: DispatchDiskQueue())
    var request = ByteRequest(url: url ?? "file://\(folder.path)/item")
    request.check = check
    return try await source.fetch(request, into: sink)
  }

  /// An item that needs more than one piece to be read, and was last written long ago.
  private func writeItem() throws -> URL {
    let item = folder.appending(path: "item")
    try Data(repeating: 0x6F, count: 700_000).write(to: item)
    let old = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: item.path)
    return item
  }

  /// The path of an http address was taken for one here.
  func testNothingIsTakenFromElsewhere() async throws {
    _ = try writeItem()
    for url in ["http://h\(folder.path)/item", "https://h/item", "file:///etc/passwd", "item"] {
      let sink = ChangingSink {}
      do {
        _ = try await read(sink, at: url)
        XCTFail("\(url) was read")
      } catch let error as FileSourceError {
        XCTAssertEqual(
          error.description,
          "\(url) isn't below the folder of the catalog, which is a file and has its items there; "
            + "serve the catalog over http to have some from elsewhere")
      }
      XCTAssertEqual(sink.count, 0)
    }
  }

  func testAFileThatStaysTheSameIsReadWhole() async throws {
    _ = try writeItem()
    let sink = ChangingSink {}
    let answer = try await read(sink)
    XCTAssertEqual(answer.bodyBytes, 700_000)
    XCTAssertEqual(sink.count, 700_000)
  }

  /// The beginning of one state and the end of another one are no item.
  func testAFileThatIsChangedWhileItIsReadIsRefused() async throws {
    let changes: [(String, @Sendable (FileHandle) throws -> Void)] = [
      (
        "written over, of the same length",
        { try $0.write(contentsOf: Data(repeating: 0x6E, count: 700_000)) }
      ),
      (
        "its end written over",
        {
          try $0.seek(toOffset: 699_999); try $0.write(contentsOf: [0x6E])
        }
      ),
      (
        "longer",
        {
          try $0.seekToEnd(); try $0.write(contentsOf: [0x6E])
        }
      ),
      ("cut", { try $0.truncate(atOffset: 600_000) }),
      ("emptied", { try $0.truncate(atOffset: 0) }),
    ]
    for (claim, change) in changes {
      let item = try writeItem()
      let sink = ChangingSink {
        let file = try FileHandle(forUpdating: item)
        try change(file)
        try file.close()
      }
      do {
        _ = try await read(sink) { _ in XCTFail("\(claim): what was read is held against the item")
        }
        XCTFail("\(claim): what was read is taken for the file")
      } catch let error as FileSourceError {
        XCTAssertTrue(error.reason.contains("changed while it was read"), "\(claim): \(error)")
      }
    }
  }
}

/// Does something to the file once its first bytes have come.
private final class ChangingSink: ByteSink {
  private let change: @Sendable () throws -> Void
  private let state = Locked(0)

  init(_ change: @escaping @Sendable () throws -> Void) { self.change = change }

  var count: Int { state.withLock { $0 } }

  func begin(_ answer: ByteAnswer) throws {}

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let isFirst = state.withLock { count in
      defer { count += bytes.count }
      return count == 0
    }
    if isFirst { try change() }
  }
}
