import XCTest

@testable import SyncTransport

final class CurlVersionTests: XCTestCase {
  func testHTTP2IsUsedOnlyWhereAPauseDoesNoHarm() {
    let rows: [(Int, Int, Int, Bool)] = [
      (7, 64, 0, false), (7, 84, 0, false), (7, 88, 1, false), (8, 0, 1, false), (8, 13, 0, false),
      (8, 14, 0, true), (8, 14, 1, true), (8, 15, 0, true), (8, 16, 0, false), (8, 17, 0, false),
      (8, 18, 0, true), (8, 21, 0, true), (9, 0, 0, true),
    ]
    for (major, minor, patch, isSound) in rows {
      let version = CurlVersion(major, minor, patch)
      XCTAssertEqual(version.pausesStreams, isSound, "\(version)")
      XCTAssertFalse(CurlVersion(major, minor, patch, hasHTTP2: false).pausesStreams)
    }
  }

  func testTheVersionIsTheOneThatIsLoaded() {
    XCTAssertGreaterThan(CurlVersion.current, CurlVersion(7, 80, 0))
    XCTAssertEqual(
      TransportConfiguration().allowsHTTP2, CurlVersion.current.pausesStreams)
  }

  func testWhatIsSaidWhereOneSideSpeaksTLSIsKnown() {
    for said in [
      "error:0A00010B:SSL routines::wrong version number",
      "TLS connect error: error:0A0000C6:SSL routines::packet length too long",
      "gnutls_handshake() failed: An unexpected TLS packet was received.",
    ] { XCTAssertTrue(TLSComplaint.isOfNoTLS(said), said) }
    XCTAssertFalse(TLSComplaint.isOfNoTLS("OpenSSL SSL_connect: Connection reset by peer"))
    for body in [
      "<center>The plain HTTP request was sent to HTTPS port</center>",
      "Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />",
      "Client sent an HTTP request to an HTTPS server.\n",
    ] { XCTAssertTrue(TLSComplaint.isOfPlainText(body.utf8), body) }
    XCTAssertFalse(TLSComplaint.isOfPlainText("<h1>400 Bad Request</h1>".utf8))
  }
}
