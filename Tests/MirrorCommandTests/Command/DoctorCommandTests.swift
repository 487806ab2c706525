import Foundation
import TestSupport
import XCTest

/// `mirror doctor` at a real server.
final class DoctorCommandTests: MirrorTestCase {
  func testAListedFolderIsDescribedAndTheCommandToUseComesLast() throws {
    try publish(["a.txt": "alpha", "b/c.txt": "gamma"])
    let server = try serve(listing: .html)
    let doctor = try mirror("doctor", server.url)
    assertEnd(doctor, 0)
    let lines = doctor.printed.split(separator: "\n").map(String.init)
    XCTAssertEqual(
      lines.first,
      "\(server.url) is nginx's directory listing in HTML: 2 items, 10 B, in 2 pages")
    XCTAssertTrue(
      lines.contains("  It is whole: what it lacks is removed from the folder."), "\(doctor)")
    XCTAssertTrue(
      lines.contains("  What is cut goes on where it was: parts are sent as asked."), "\(doctor)")
    XCTAssertEqual(lines.last, "mirror sync \(server.url) FOLDER")
    XCTAssertFalse(isThere(copy), "nothing is made")
  }

  func testTheCommandThatItEndsWithMirrorsWhatNeedsAName() throws {
    try publish(["a.txt": "alpha", "list.json": #"{"a.txt":"a.txt"}"#])
    let server = try serve()
    let doctor = try mirror("doctor", server.url + "list.json")
    XCTAssertEqual(doctor.end, .exited(1))
    XCTAssertTrue(doctor.printed.contains("JSON that is no known catalog"), "\(doctor)")
    let command = try XCTUnwrap(doctor.printed.split(separator: "\n").last).split(separator: " ")
    XCTAssertEqual(command.first, "mirror")
    let words = command.dropFirst().map { $0 == "FOLDER" ? copy.path : String($0) }
    let child = try start(words)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    XCTAssertEqual(try copied(), ["a.txt": "alpha"])
  }

  func testOptionsThatDecideWhatIsThereAreTakenAndRepeated() throws {
    try publish(["a.json": #"{"data":{"files":[{"n":"a.txt","u":"a.txt"}]}}"#, "a.txt": "alpha"])
    let server = try serve()
    let map = "items=data.files,key=n,url=u"
    let doctor = try mirror("doctor", server.url + "a.json", "--map", map)
    assertEnd(doctor, 0)
    XCTAssertTrue(
      doctor.printed.hasSuffix("mirror sync \(server.url)a.json FOLDER --map '\(map)'\n"),
      "\(doctor)")
  }

  func testALoginPageIsNoListOfLinks() throws {
    try publish([
      "login": "<html><a href='help'>help</a><form><input type=\"password\"></form></html>"
    ])
    let server = try serve()
    let doctor = try mirror("doctor", server.url + "login")
    XCTAssertEqual(doctor.end, .exited(1))
    XCTAssertFalse(doctor.printed.contains("--format listing"), "\(doctor)")
  }

  func testASecretInTheAddressIsNotShown() throws {
    try publish(["a.txt": "alpha"])
    let server = try serve(listing: .html)
    let doctor = try mirror("doctor", server.url + "?token=Hw8vQ2rT")
    assertEnd(doctor, 0)
    XCTAssertFalse((doctor.printed + doctor.said).contains("Hw8vQ2rT"), "\(doctor)")
    XCTAssertTrue(doctor.printed.hasSuffix("mirror sync CATALOG FOLDER\n"), "\(doctor)")
    XCTAssertTrue(doctor.printed.contains("CATALOG is the address that you gave"), "\(doctor)")
  }

  /// A query that asks for an order was taken for a secret, and the line couldn't be copied.
  func testAnAddressWithoutASecretIsShownWhole() throws {
    try publish(["a.txt": "alpha"])
    let server = try serve(listing: .html)
    let doctor = try mirror("doctor", server.url + "?C=M;O=D")
    assertEnd(doctor, 0)
    XCTAssertTrue(
      doctor.printed.hasSuffix("mirror sync '\(server.url)?C=M;O=D' FOLDER\n"), "\(doctor)")
    XCTAssertFalse(doctor.printed.contains("CATALOG"), "\(doctor)")
  }

  func testItIsWrittenAsOneLineOfJSON() throws {
    try publish(["a.txt": "alpha"])
    let server = try serve(listing: .json)
    let doctor = try mirror("doctor", server.url, "--json")
    assertEnd(doctor, 0)
    let object = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(doctor.printed.utf8)) as? [String: Any])
    XCTAssertEqual(object["event"] as? String, "diagnosis")
    XCTAssertEqual((object["list"] as? [String: Any])?["items"] as? Int, 1)
    XCTAssertEqual((object["item"] as? [String: Any])?["ranges"] as? String, "honest")
    XCTAssertEqual(object["command"] as? String, "mirror sync \(server.url) FOLDER")
  }
}
