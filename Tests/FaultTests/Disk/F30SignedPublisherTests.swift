import Foundation
import TestSupport
import XCTest

/// F30: the publisher of a signed catalog is killed before each call that changes the disk.
final class F30SignedPublisherTests: FaultTestCase {
  func testF30_killedBeforeAnyCallTheSignedCatalogIsTheOldOneOrTheNew() throws {
    let disk = try FaultyDisk(in: base.appending(path: "records"))
    let keys = try SigningKeys("good", in: base)
    let catalog = source.appending(path: "catalog.ndjson")
    let arguments = ["publish", source.path, "--sign-key", keys.privateFile.path]
    let verified = ["--verify-key", keys.publicFile.path]
    try publish(["a.txt": "a", "b/c.txt": "c"])
    assertEnd(try mirror(arguments), 0)
    try publish(["a.txt": "another"])
    let started = try Data(contentsOf: catalog)
    assertEnd(try mirror(arguments, environment: disk.environment(nil, in: source)), 0)
    let calls = try disk.calls(in: source).count
    XCTAssertGreaterThan(calls, 3)
    var (old, new, killed) = (0, 0, 0)
    for number in 1...calls {
      // What is remembered of the last time would spare some of the calls.
      for name in try FileManager.default.contentsOfDirectory(atPath: source.path)
      where name.hasPrefix(".") {
        try FileManager.default.removeItem(at: source.appending(path: name))
      }
      try started.write(to: catalog)
      let fault = FaultyDisk.Fault(act: .kill, kinds: FaultyDisk.Kind.changing, number: number)
      let end = try mirror(arguments, environment: disk.environment(fault, in: source)).end
      if end == .killed(by: SIGKILL) { killed += 1 }
      let left = try Data(contentsOf: catalog)
      if left == started { old += 1 } else { new += 1 }
      let plan = try mirror(["plan", catalog.absoluteString, copy.path] + verified)
      assertEnd(plan, 0)
      XCTAssertTrue(plan.printed.contains("a.txt"), "\(plan), \(fault)")
      assertEnd(try mirror(arguments), 0)
      assertEnd(try mirror(["plan", catalog.absoluteString, copy.path] + verified), 0)
    }
    XCTAssertGreaterThan(killed, 3)
    XCTAssertGreaterThan(old, 0)
    XCTAssertGreaterThan(new, 0)
    try Extent.record(
      "F30", "the publisher of a signed catalog killed before a system call", count: killed,
      "the old catalog or the new one, whole; both are believed")
  }
}
