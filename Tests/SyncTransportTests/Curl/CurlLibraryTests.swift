import XCTest

@testable import SyncTransport

/// What is told of the libcurl that runs, and where it looks for certificates.
final class CurlLibraryTests: XCTestCase {
  func testEachPartOfTheLibraryIsNamedOnce() {
    let line = "libcurl/7.88.1 OpenSSL/3.0.19 libpsl/0.21.2 (+libidn2/2.3.3) nghttp2/1.52.0"
    XCTAssertEqual(
      CurlLibrary.names(in: line),
      ["libcurl 7.88.1", "OpenSSL 3.0.19", "libpsl 0.21.2", "nghttp2 1.52.0"])
  }

  func testTheVersionOfHTTPStandsBesideTheLibrary() {
    let most = CurlVersion.current.pausesStreams ? "2" : "1.1"
    XCTAssertEqual(CurlLibrary.parts.first, "libcurl \(CurlVersion.current) (HTTP/\(most))")
  }

  /// Debian, Fedora of today and of tomorrow, SUSE, and a small Alpine.
  func testCertificatesAreFoundWhereEachSystemKeepsThem() {
    for place in SystemCertificates.places {
      XCTAssertEqual(SystemCertificates.file { $0 == place }, place)
    }
    XCTAssertEqual(
      SystemCertificates.file { $0.hasPrefix("/etc/pki/") }, "/etc/pki/tls/certs/ca-bundle.crt")
    XCTAssertNil(SystemCertificates.file { _ in false })
  }
}
