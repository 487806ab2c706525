import Foundation
import TestSupport
import XCTest

/// F6: the folder is unmounted, replaced, moved or made read-only, before a run and during it.
final class F6WrongFolderTests: FaultTestCase {
  private let before = ["a": "a 1", "d/b": "b 1", "gone": "gone", "zz-held": "held 1"]
  private let after = ["a": "a two", "d/b": "b two", "d/new": "new", "zz-held": "held two"]
  private var disk: URL { base.appending(path: "disk") }
  private var folder: URL { disk.appending(path: "copy") }
  private var mounts: [URL] = []

  override func tearDownWithError() throws {
    for place in mounts.reversed() { _ = try? run("umount", "-l", place.path) }
    try super.tearDownWithError()
  }

  /// What happens to the folder, and how it is undone.
  private struct Fault {
    var name: String
    /// Whether the run still has its own places in it, lock, staging area and index.
    var staysInPlace = false
    var happens: () throws -> Void
    var isUndone: () throws -> Void
  }

  func testF6_whatHappensToTheFolderDuringARunStopsItWithOneError() async throws {
    for number in faults.indices {
      try prepare()
      let fault = faults[number]
      let hold = try LoopbackListener()
      let server = try serve(holding: "/zz-held", at: hold)
      try republish(after, round: 1)
      let run = try start(["sync", server.url + Self.catalogName, folder.path, "--new-catalog"])
      XCTAssertTrue(hold.waitForCaller(), run.said)
      try fault.happens()
      let there = try? traces(but: fault.staysInPlace)
      hold.close()
      let outcome = try run.outcome(within: .seconds(30))
      assertRefused(outcome, 1)
      XCTAssertTrue(
        outcome.said.contains("vanished or was replaced") || outcome.said.contains("read-only"),
        "\(fault.name): \(outcome)")
      XCTAssertEqual(
        try? traces(but: fault.staysInPlace), there, "\(fault.name): it was filled; \(outcome)")
      try fault.isUndone()
      try await assertGoesOn(server, fault.name)
      try unmountAll()
    }
    try Extent.record(
      "F6", "a folder unmounted, replaced, moved or read-only during a run", count: faults.count,
      "stopped with one error; what took its place wasn't touched")
  }

  func testF6_anEmptyMountPointIsNotFilledByAnUnattendedRun() async throws {
    try prepare()
    let server = try serve()
    try republish(after, round: 1)
    try run("umount", disk.path)
    for command in [
      ["sync", server.url + Self.catalogName, folder.path, "--existing"],
      ["sync", server.url + Self.catalogName, disk.path, "--existing"],
    ] {
      assertRefused(try start(command).outcome(within: .seconds(30)), 1, saying: command[2])
    }
    XCTAssertEqual(try FileManager.default.subpathsOfDirectory(atPath: disk.path), [])
    XCTAssertEqual(try server.takeRequests(), [], "it was refused before anything was asked")
    mounts = []
  }

  func testF6_aFileSystemMountedInsideIsLeftAlone() async throws {
    try prepare()
    let server = try serve()
    try republish(after, round: 1)
    let inside = folder.appending(path: "d")
    try mount(inside)
    try Data("elsewhere".utf8).write(to: inside.appending(path: "b"))
    let there = try Self.traces(in: inside)
    let outcome = try mirror("sync", server.url + Self.catalogName, folder.path, "--new-catalog")
    assertEnd(outcome, 2)
    for key in ["d/b", "d/new"] {
      XCTAssertTrue(
        outcome.said.contains("mirror: \(key): d is, or leads through, a link, a mount point"),
        "\(outcome)")
    }
    XCTAssertEqual(try files(in: folder)["a"], Data("a two".utf8))
    XCTAssertEqual(try Self.traces(in: inside), there)
    try run("umount", inside.path)
    mounts.removeLast()
    try await assertGoesOn(server, "mounted inside")
    try unmountAll()
  }

  // What all of them do.

  private var faults: [Fault] {
    let aside = disk.appending(path: "aside")
    let marker = folder.appending(path: ".mirror/marker")
    let files = FileManager.default
    return [
      Fault(
        name: "unmounted lazily", happens: { try self.run("umount", "-l", self.disk.path) },
        isUndone: { try self.mountAgain() }),
      Fault(
        name: "mounted over", happens: { try self.mount(self.folder) },
        isUndone: {
          try self.run("umount", self.folder.path)
          self.mounts.removeLast()
        }),
      Fault(
        name: "moved away", happens: { try files.moveItem(at: self.folder, to: aside) },
        isUndone: { try files.moveItem(at: aside, to: self.folder) }),
      Fault(
        name: "replaced by an empty folder",
        happens: {
          try files.moveItem(at: self.folder, to: aside)
          try makeFolder(at: self.folder)
        }, isUndone: { try self.putBack(aside) }),
      Fault(
        name: "replaced by another mirror",
        happens: {
          try files.moveItem(at: self.folder, to: aside)
          try self.makeOther(at: self.folder)
        }, isUndone: { try self.putBack(aside) }),
      Fault(
        name: "without its marker", staysInPlace: true,
        happens: { try files.moveItem(at: marker, to: self.disk.appending(path: "marker")) },
        isUndone: { try files.moveItem(at: self.disk.appending(path: "marker"), to: marker) }),
      Fault(
        // What ext4 does by itself when its disk fails.
        name: "read-only", staysInPlace: true,
        happens: { try self.run("mount", "-o", "remount,abort", self.disk.path) },
        isUndone: {
          try self.run("umount", self.disk.path)
          try self.mountAgain()
        }),
    ]
  }

  /// Everything that can be told of the folder, or only of the tree in it.
  private func traces(but own: Bool) throws -> [String: String] {
    try Self.traces(in: folder).filter { !own || !$0.key.hasPrefix(".mirror") }
  }

  /// A mirror on a disk of its own: ext4 in a file, so that it can be mounted again.
  private func prepare() throws {
    try? FileManager.default.removeItem(at: disk)
    try makeFolder(at: disk)
    let image = base.appending(path: "disk.image")
    try Data().write(to: image)
    try FileHandle(forWritingTo: image).truncate(atOffset: 16 << 20)
    try run("mkfs.ext4", "-q", "-F", image.path)
    try mountAgain()
    try republish(before)
    let server = try serve()
    assertEnd(try mirror("sync", server.url + Self.catalogName, folder.path), 0)
  }

  private func mountAgain() throws {
    try run("mount", "-o", "loop", base.appending(path: "disk.image").path, disk.path)
    if !mounts.contains(disk) { mounts.append(disk) }
  }

  private func mount(_ place: URL) throws {
    try run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place.path)
    mounts.append(place)
  }

  private func unmountAll() throws {
    for place in mounts.reversed() { try run("umount", place.path) }
    mounts = []
  }

  private func putBack(_ aside: URL) throws {
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.moveItem(at: aside, to: folder)
  }

  private func makeOther(at place: URL) throws {
    let other = base.appending(path: "other-source")
    try makeFolder(at: other)
    try Data("other".utf8).write(to: other.appending(path: "other"))
    assertEnd(try mirror("publish", other.path), 0)
    assertEnd(
      try mirror("sync", "file://\(other.path)/\(Self.catalogName)", place.path), 0)
  }

  /// The fourth thing, for a folder elsewhere.
  private func assertGoesOn(_ server: NginxServer, _ claim: String) async throws {
    var versions = Versions(before)
    versions.add(after)
    try await assertNothingIsLost(of: versions.all, in: folder, claim)
    for _ in 0..<2 {
      let outcome = try mirror("sync", server.url + Self.catalogName, folder.path, "--new-catalog")
      XCTAssertEqual(outcome.end, .exited(0), "\(claim): \(outcome)")
    }
    let texts = try files(in: folder).mapValues { String(decoding: $0, as: UTF8.self) }
    XCTAssertEqual(texts.filter { $0.key != "lost+found" }, after, claim)
    try await assertNothingIsLost(of: versions.all, in: folder, claim)
  }

  @discardableResult
  private func run(_ name: String, _ arguments: String...) throws -> String {
    let child = try ChildProcess(
      try Programs.find(name), arguments,
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], directory: base,
      records: base.appending(path: "records"))
    let end = try child.end(within: .seconds(30))
    XCTAssertEqual(end, .exited(0), "\(name) \(arguments): \(child.said)")
    return child.printed
  }
}
