import DocumentSync
import SyncTransport
import XCTest

@testable import DocumentEndpoints

final class KintoPlacesTests: XCTestCase {
  private func problem(_ server: String, bucket: String = "b") -> ServiceError? {
    do throws(ServiceError) {
      _ = try KintoPlaces(server: server, bucket: bucket)
      return nil
    } catch {
      return error
    }
  }

  func testTheVersionIsAddedWhereItIsLeftOut() throws {
    for (server, root) in [
      ("https://example.org", "https://example.org/v1"),
      ("https://example.org/", "https://example.org/v1"),
      ("https://example.org/v1", "https://example.org/v1"),
      ("https://example.org/v1/", "https://example.org/v1"),
      ("http://example.org:8888/kinto", "http://example.org:8888/kinto/v1"),
      ("http://[::1]:8888/kinto/v1/", "http://[::1]:8888/kinto/v1"),
    ] {
      XCTAssertEqual(try KintoPlaces(server: server, bucket: "b").root.text, root)
    }
  }

  func testWhatIsNoServersAddressIsTold() {
    for server in ["", "example.org", "ftp://example.org", "http://", "http://a b/", "/v1"] {
      guard case .badAddress = problem(server) else {
        XCTFail("\(server): \(String(describing: problem(server)))")
        continue
      }
    }
    XCTAssertEqual(problem("https://me:secret@example.org"), .userInfo)
    XCTAssertEqual(
      problem("https://example.org/v1/buckets/b"), .inside("https://example.org/v1/buckets/b"))
    XCTAssertEqual(
      problem("https://example.org/?token=secret"), .queryOrFragment("https://example.org/?…"))
    XCTAssertEqual(
      problem("https://example.org/#here"), .queryOrFragment("https://example.org/"))
    for bucket in ["", "a/b", "..", "-a", "é"] {
      XCTAssertEqual(problem("https://example.org", bucket: bucket), .badName(bucket))
    }
  }

  func testProblemsAreSentencesWithoutSecrets() {
    for server in ["https://me:secret@example.org", "https://example.org?token=secret"] {
      let sentence = problem(server).map { "\($0)" } ?? ""
      XCTAssertFalse(sentence.isEmpty || sentence.contains("secret"), sentence)
    }
  }

  func testANextPageIsOfTheSameServerAndCollection() throws {
    let places = try KintoPlaces(server: "https://example.org/kinto", bucket: "default")
    let start = "https://example.org/kinto/v1/buckets"
    for (text, query) in [
      ("\(start)/default/collections/c/records?_token=x", "_token=x"),
      ("\(start)/0-1/collections/c/records?_token=x", "_token=x"),
      ("\(start)/default/collections/c/records", nil),
      ("\(start)/default/collections/d/records?_token=x", nil),
      ("http://example.org/kinto/v1/buckets/default/collections/c/records?_token=x", nil),
      ("https://example.net/kinto/v1/buckets/default/collections/c/records?_token=x", nil),
      ("https://example.org/v1/buckets/default/collections/c/records?_token=x", nil),
      ("not one", nil),
    ] as [(String, String?)] {
      XCTAssertEqual(places.queryOfNextPage(text, of: "c"), query, text)
    }
  }
}
