import Foundation
import TestSupport
import XCTest

/// F29: whatever a server does to a pack, all files come, each as the catalog has it.
final class F29PackTests: FaultTestCase {
  private static let items = (0..<60).map { number in
    HonestSite.Item(
      key: "d\(number / 10)/\(number)",
      bytes: Array("file \(number) \(String(repeating: "z", count: number * 7))".utf8))
  }

  private static let pack = items.flatMap(\.bytes)

  /// A catalog whose files all lie in one pack.
  private static var catalog: String {
    let site = HonestSite(items)
    var offset = 0
    let lines = zip(site.lines, items).map { line, item in
      defer { offset += item.bytes.count }
      return line.dropLast() + ",\"pack\":[1,\(offset)]}\n"
    }
    let digest = HonestSite.digest(of: pack)
    return #"{"catalog":1,"complete":true,"packsAt":"packs/","packs":[[1,"#
      + "\(pack.count),\"\(digest)\"]]}\n" + lines.joined()
  }

  private static func script(_ manner: Manner) -> FaultServer.Script {
    let (site, catalog) = (HonestSite(items).script, Array(catalog.utf8))
    return { request, attempt in
      if request.path == HonestSite.catalogPath {
        return FaultAnswer(catalog, headers: [("Content-Type", "application/x-ndjson")])
      }
      return request.path.hasPrefix("/packs/")
        ? manner.answer(pack, request) : site(request, attempt)
    }
  }

  /// What an honest server gives of the pack.
  private static func part(
    _ pack: [UInt8], _ request: RawRequest, _ range: (Range<Int>) -> Range<Int> = { $0 }
  ) -> FaultAnswer {
    guard let asked = request["Range"].flatMap(Self.range) else { return FaultAnswer(pack) }
    let told = range(asked)
    return FaultAnswer(
      Array(pack[asked]), status: 206,
      headers: [
        ("Content-Range", "bytes \(told.lowerBound)-\(told.upperBound - 1)/\(pack.count)")
      ])
  }

  private static func range(_ text: String) -> Range<Int>? {
    let ends = text.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    return ends.count == 2 ? ends[0]..<ends[1] + 1 : nil
  }

  private enum Manner: String, CaseIterable {
    case honest, gone, forbidden, whole, shifted, otherWhole, coded, replaced, shorter, longer
    case exchanged, empty, page, notModified, circle, cut, cutUntold, cutInChunks

    func answer(_ pack: [UInt8], _ request: RawRequest) -> FaultAnswer {
      let third = pack.count / 3
      switch self {
      case .honest: return F29PackTests.part(pack, request)
      case .gone: return FaultAnswer(status: 404)
      case .forbidden: return FaultAnswer(status: 403)
      case .whole: return FaultAnswer(pack)
      case .shifted:
        return F29PackTests.part(pack, request) { $0.lowerBound + 1..<$0.upperBound + 1 }
      case .otherWhole:
        guard request["Range"] != nil else { return FaultAnswer(pack) }
        return FaultAnswer(pack, status: 206, headers: [("Content-Range", "bytes 0-9/10")])
      case .coded: return FaultAnswer(pack, headers: [("Content-Encoding", "gzip")])
      case .replaced: return FaultAnswer(pack.map { $0 ^ 1 })
      case .shorter: return FaultAnswer(Array(pack.prefix(third)))
      case .longer: return FaultAnswer(pack + pack)
      case .exchanged: return FaultAnswer(Array(pack.reversed()))
      case .empty: return FaultAnswer([])
      case .page: return FaultAnswer(text: "<html>Log in</html>")
      case .notModified: return FaultAnswer([.bytes(FaultAnswer.head(304, framing: .close))])
      case .circle: return FaultAnswer.redirect(to: request.path)
      case .cut: return .cut(pack, after: third, framing: .length)
      case .cutUntold: return .cut(pack, after: third, framing: .close)
      case .cutInChunks: return .cut(pack, after: third, framing: .chunked)
      }
    }
  }

  /// One file in the pack, which very many entries name: each is written, one after the other.
  func testF29_twoThousandEqualFilesTakeFewDescriptors() async throws {
    let bytes = Array("the same in each\n".utf8)
    let site = HonestSite(
      (0..<2_000).map { HonestSite.Item(key: "d\($0 / 100)/\($0)", bytes: bytes) })
    let lines = site.lines.map { $0.dropLast() + ",\"pack\":[1,0]}\n" }.joined()
    let catalog =
      #"{"catalog":1,"complete":true,"packsAt":"packs/","packs":[[1,"#
      + "\(bytes.count),\"\(HonestSite.digest(of: bytes))\"]]}\n" + lines
    let server = try FaultServer { request, _ in
      if request.path == HonestSite.catalogPath {
        return FaultAnswer(Array(catalog.utf8), headers: [("Content-Type", "application/x-ndjson")])
      }
      return request.path.hasPrefix("/packs/") ? FaultAnswer(bytes) : FaultAnswer(status: 404)
    }
    let child = try start(
      ["--nofile=64", Programs.mirror, "sync", server.url(HonestSite.catalogPath), copy.path],
      program: try Programs.find("prlimit"))
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    let held = try files(in: copy)
    XCTAssertEqual(held.count, 2_000)
    XCTAssertEqual(Set(held.values), [Data(bytes)])
    server.stop()
  }

  func testF29_whateverIsDoneToAPackAllFilesCome() async throws {
    for manner in Manner.allCases {
      let (name, server) = (manner.rawValue, try FaultServer(Self.script(manner)))
      let folder = base.appending(path: name)
      let outcome = try mirror(
        "sync", server.url(HonestSite.catalogPath), folder.path, "--retries", "2")
      assertEnd(outcome, 0)
      let held = try files(in: folder)
      XCTAssertEqual(held.count, Self.items.count, name)
      for item in Self.items {
        XCTAssertTrue(held[item.key] == Data(item.bytes), "\(name): \(item.key)")
      }
      server.stop()
    }
  }
}
