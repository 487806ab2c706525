import DocumentEndpoints
import DocumentSync
import DocumentTesting
import Foundation
import XCTest

/// Files of documents, which go to addresses, or another way.
final class WishedFilesTests: WishesTestCase {
  private func device(_ address: String, _ files: RestFiles) async throws -> DocumentReplica {
    var dialect = RestDialect()
    dialect.files = files
    return try await device(at: try plain(address, dialect))
  }

  /// a file: the document, then the file, then its address in the document
  func testAFilesAddressComesIntoItsDocument() async throws {
    let address = try service("serve-rows.py")
    let phone = try await device(
      address, RestFiles(at: address + "/files/{type}/{id}/{member}/{name}"))
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    try await phone.attach(Array("a picture".utf8), named: "a.png", to: "picture", of: milk)
    let report = try await phone.sync()
    XCTAssertEqual(report.filesSent, 1)
    let there = try await phone.fetch(milk)
    XCTAssertEqual(
      there?["picture"]?.string, address + "/files/notes/milk/picture/a.png")
  }

  /// away: the address blanked and saved, then the file removed
  func testTheAddressGoesBeforeTheFile() async throws {
    let address = try service("serve-rows.py")
    let phone = try await device(address, RestFiles(at: address + "/files/{id}/{member}"))
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    try await phone.attach(Array("a picture".utf8), named: "a.png", to: "picture", of: milk)
    try await phone.sync()
    let isThere = try await phone.detach("picture", of: milk)
    XCTAssertTrue(isThere)
    let report = try await phone.sync()
    XCTAssertEqual(report.filesRemoved, 1)
    let there = try await phone.fetch(milk)
    XCTAssertEqual(there?["picture"], "")
  }

  /// another way for files
  func testFilesGoAnotherWay() async throws {
    let shelf = Shelf()
    let endpoint: any DocumentEndpoint = ShelfEndpoint(
      inner: server.endpoint(named: "phone"), shelf: shelf)
    let phone = try await device(at: endpoint)
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    try await phone.attach(Array("a picture".utf8), named: "a.png", to: "picture", of: milk)
    let report = try await phone.sync()
    XCTAssertEqual(report.filesSent, 1)
    let kept = await shelf.contents.map { String(decoding: $0, as: UTF8.self) }
    XCTAssertEqual(kept, ["a picture"])
    var dialect = RestDialect()
    dialect.files = RestFiles(at: "files/{id}/{member}")
    let atAddresses: any DocumentEndpoint = try plain("https://example.org", dialect)
    XCTAssertTrue(atAddresses.keepsFilesAtAddresses)
  }
}

/// Where files are put by an endpoint of an app's own.
actor Shelf {
  private var files: [String: [UInt8]] = [:]
  var contents: [[UInt8]] { Array(files.values) }

  func file(_ request: FileRequest) throws -> EndpointReply<FileEnd> {
    switch request {
    case .store(let place, _, let content):
      files[place.digest] = try content.bytes()
      return EndpointReply(.there(found(place.digest)))
    case .find(let place):
      return EndpointReply(files[place.digest] == nil ? .missing : .there(found(place.digest)))
    case .read(let file, let offset, let count):
      guard let content = files[file.location] else { return EndpointReply(.missing) }
      return EndpointReply(
        .bytes(Array(content.dropFirst(Int(offset)).prefix(count)), from: offset))
    case .remove(let place):
      files[place.digest] = nil
      return EndpointReply(.missing)
    }
  }

  private func found(_ digest: String) -> ServerFile {
    ServerFile(location: digest, digest: digest, size: Int64(files[digest]?.count ?? 0))
  }
}

private struct ShelfEndpoint: DocumentEndpoint {
  let inner: ReferenceEndpoint
  let shelf: Shelf

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    EndpointCapabilities(features: [.preconditions, .changes, .tombstones, .files])
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await inner.changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    await inner.push(request)
  }

  @concurrent func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    try await shelf.file(request)
  }
}
