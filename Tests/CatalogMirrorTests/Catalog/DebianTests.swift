import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

final class DebianTests: XCTestCase {
  private static let address = "https://h/debian/dists/stable/InRelease"

  private func body(_ text: String, _ url: String = address) throws -> CatalogBody {
    var body = try Golden.body(text, url)
    body.sha256 = Golden.hash(text)
    return body
  }

  private func page(_ text: String, _ url: String = address) throws -> CatalogPage {
    try CatalogFormats.standard.decode(body(text, url)).withAllForms
  }

  func testAReleaseListsItselfAndItsListsAndAsksForThem() throws {
    let page = try page(Golden.inRelease)
    XCTAssertEqual(page.format, .debian)
    XCTAssertEqual(page.claim, .whole)
    XCTAssertEqual(page.terms.signature, .inClear)
    XCTAssertEqual(
      page.entries.compactMap(\.key),
      [
        "dists/stable/InRelease", "dists/stable/main/binary-amd64/Packages.gz",
        "dists/stable/main/binary-amd64/Packages.xz", "dists/stable/contrib/binary-all/Packages",
        "dists/stable/main/Contents-amd64.gz",
      ].map { CatalogKey($0) }, "of a list with packed forms, the plain one isn't there")
    XCTAssertEqual(
      page.usable["dists/stable/InRelease"]?.sha256, Golden.hash(Golden.inRelease))
    XCTAssertEqual(
      page.parts.map(\.url),
      [
        "https://h/debian/dists/stable/main/binary-amd64/by-hash/SHA256/\(Golden.digest)",
        "https://h/debian/dists/stable/contrib/binary-all/by-hash/SHA256/\(Golden.digest)",
      ])
    XCTAssertEqual(
      page.parts.map(\.alternatives),
      [
        ["https://h/debian/dists/stable/main/binary-amd64/Packages.gz"],
        ["https://h/debian/dists/stable/contrib/binary-all/Packages"],
      ])
    XCTAssertEqual(page.parts.map(\.packing), [.gzip, nil])
    XCTAssertEqual(page.parts.map { $0.sha256?.description }, [Golden.digest, Golden.digest])
    XCTAssertEqual(
      page.parts.map(\.size),
      ["main/binary-amd64/Packages.gz", "contrib/binary-all/Packages"].map {
        page.usable["dists/stable/" + $0]?.size
      })
    XCTAssertEqual(
      page.usable["dists/stable/main/binary-amd64/Packages.xz"]?.locators.last,
      "https://h/debian/dists/stable/main/binary-amd64/Packages.xz")
  }

  func testItSaysWhenItWasMadeAndUntilWhenItMayBeTaken() throws {
    let header = try page(Golden.inRelease).header
    XCTAssertEqual([header.date, header.validUntil], [1_794_650_400, nil])
    let line = "Valid-Until: Sat, 21 Nov 2026 10:00:00 UTC"
    let text = Golden.inRelease.replacing("Suite: stable", with: "Suite: stable\n\(line)")
    XCTAssertEqual(try page(text).header.validUntil, 1_795_255_200)
  }

  /// It was told as a repository that was to be taken until 1970, or taken without a word.
  func testADateThatNobodyCanReadIsTold() throws {
    let undated = Golden.inRelease.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("Date:") }.joined(separator: "\n")
    XCTAssertNotEqual(undated, Golden.inRelease)
    XCTAssertNil(try page(undated).header.date, "it needn't say")
    for (line, field, value) in [
      ("valid-until: soon", "Valid-Until", "soon"), ("Date: garbage", "Date", "garbage"),
      ("Date:", "Date", ""),
    ] {
      let text = undated.replacing("Suite: stable", with: "Suite: stable\n\(line)")
      XCTAssertThrowsError(try page(text), line) { error in
        XCTAssertEqual(
          error as? CatalogError,
          .unreadable(
            url: Self.address, expected: .format("debian"),
            found: .badDate(field: field, value: value)))
        XCTAssertTrue(
          "\(error)".contains("whose \(field) can't be read as a date ('\(value)')"), "\(error)")
      }
    }
  }

  /// Somebody was told to name the format that he had named.
  func testOfAReleaseThatCanNotBeReadItIsToldWhatItLacks() throws {
    let whole = """
      Suite: stable
      MD5Sum:
       \(String(repeating: "0", count: 32)) 1 main/binary-amd64/Packages
      SHA256:
       \(Golden.digest) 1 main/binary-amd64/Packages

      """
    let table: [(String, CatalogError.Finding)] = [
      (String(whole.dropLast()), .cutPage), (String(whole.dropLast(70)), .cutPage),
      (whole + " \(Golden.digest) 1 main/binary-all/Packages\n", .cutPage),
      (whole + " \(Golden.digest) 2 main/binary-amd64/Packages\n", .badRow("SHA256")),
      (String(whole.prefix { $0 != "S" }) + "Suite: stable\nMD5Sum:\n", .noStrongDigests),
      (whole + "garbage\n", .line(6)), ("hello\n", .text),
      (String(Golden.inRelease.dropLast(30)), .cutPage),
    ]
    let address = "https://h/debian/dists/stable/Release"
    XCTAssertNoThrow(try DebianFormat().page(body(whole, address), within: CatalogLimits()))
    for (text, found) in table {
      XCTAssertThrowsError(try DebianFormat().page(body(text, address), within: CatalogLimits())) {
        XCTAssertEqual(
          $0 as? CatalogError,
          .unreadable(url: address, expected: .format("debian"), found: found), text)
      }
    }
    let sentence = CatalogError.unreadable(
      url: address, expected: .format("debian"), found: .noStrongDigests)
    XCTAssertEqual(
      "\(sentence)",
      "\(address) gave a Release file without SHA-256 digests; have it published with them.")
  }

  func testWhatNamesOtherFilesComesAfterThem() throws {
    let last = try page(Golden.inRelease).last.map { "\($0)" }
    XCTAssertEqual(
      last,
      ["/dists/stable/"] + ["Release", "Release.gpg", "InRelease"].map { "/dists/stable/" + $0 })
  }

  func testTheInstallersPackagesBelongToTheirComponentAndMayBeChosenAlone() {
    let paths = [
      "main/binary-amd64/Packages", "main/debian-installer/binary-amd64/Packages",
      "a/b/binary-amd64/Packages", "Packages",
    ]
    let table: [(Set<String>, [Bool])] = [
      ([], [true, true, true, true]), (["main"], [true, true, false, true]),
      (["main/debian-installer"], [false, true, false, true]),
      (["a/b", "a"], [false, false, true, true]),
    ]
    for (components, held) in table {
      var choice = RepositoryChoice()
      choice.components = components
      XCTAssertEqual(
        paths.map { IndexPlace(Array($0.utf8)).map(choice.holds) }, held, "\(components)")
    }
  }

  func testTheAddressOfASuiteIsThatOfItsInRelease() throws {
    let format = DebianFormat()
    for (address, asked) in [
      ("https://h/d/dists/s/", "https://h/d/dists/s/InRelease"),
      ("https://h/d/dists/s", "https://h/d/dists/s/InRelease"),
      ("https://h/d/dists/s/Release", "https://h/d/dists/s/Release"),
      ("https://h/d/dists/s/InRelease", "https://h/d/dists/s/InRelease"),
    ] {
      let request = format.firstRequest(to: try Golden.url(address))
      XCTAssertEqual(request.url, asked)
      XCTAssertEqual(
        request.alternatives, address.hasSuffix("elease") ? [] : ["https://h/d/dists/s/Release"])
    }
  }

  func testWhatIsChosenAndNotThereIsToldWithWhatIs() throws {
    let table: [(architectures: Set<String>, components: Set<String>, CatalogError.Finding)] = [
      (["vax"], [], .noSuchPart(.architecture, asked: ["vax"], offered: ["all", "amd64"])),
      (
        ["amd64"], ["mian", "new"],
        .noSuchPart(.component, asked: ["mian", "new"], offered: ["contrib", "main"])
      ),
      (["amd64"], ["contrib"], .noPackages),
    ]
    for (architectures, components, found) in table {
      var choice = RepositoryChoice()
      (choice.architectures, choice.components) = (architectures, components)
      assertThrows(
        CatalogError.unreadable(url: Self.address, expected: .format("debian"), found: found),
        try DebianFormat(choice).page(body(Golden.inRelease), within: CatalogLimits()))
    }
    var choice = RepositoryChoice()
    (choice.architectures, choice.components) = (["amd64", "vax", "all"], ["main"])
    let page = try DebianFormat(choice).page(body(Golden.inRelease), within: CatalogLimits())
    XCTAssertEqual(
      page.notes.remarks, [.noSuchPart(.architecture, "vax", offered: ["all", "amd64"])])
    XCTAssertEqual(
      "\(table[0].2)", "a Release file without the architecture vax (it has all, amd64)")
  }

  func testAListGivesPackagesBelowTheArchivesRoot() throws {
    let part = try XCTUnwrap(try page(Golden.inRelease).parts.first)
    let list = CatalogBody(
      url: try Golden.url(part.url), request: part, bytes: Array(Golden.packages.utf8))
    let packages = try CatalogFormats.standard.decode(list, as: .debian)
    let entry = try XCTUnwrap(packages.usable["pool/main/a/a_1.0+b_amd64.deb"])
    XCTAssertEqual(entry.locators, ["https://h/debian/pool/main/a/a_1.0%2Bb_amd64.deb"])
    XCTAssertEqual(entry.size, 1_234)
    XCTAssertEqual(entry.sha256?.description, Golden.digest)
    XCTAssertEqual(
      packages.usable["flat.deb"]?.checks.map(\.algorithm), [.md5], "the only one that is there")
    XCTAssertEqual(
      packages.unusable.map(\.problem),
      [
        .field(name: "Size", expected: "a whole number of bytes"),
        .field(name: "SHA256", expected: "there"),
      ])
    XCTAssertEqual(packages.keyless.count, 1)
  }

  func testAnEmptyListIsNoErrorWhereItsDigestIsKnown() throws {
    var part = try XCTUnwrap(try page(Golden.inRelease).parts.first)
    var list = CatalogBody(url: try Golden.url(part.url), request: part, bytes: [])
    XCTAssertEqual(try CatalogFormats.standard.decode(list, as: .debian).entries, [])
    part.sha256 = nil
    list.request = part
    XCTAssertThrowsError(try CatalogFormats.standard.decode(list, as: .debian))
  }

  func testOfAFlatRepositoryTheRootIsItsDirectory() throws {
    let text = "SHA256:\n \(Golden.digest) 9 ./Packages\n"
    let page = try page(text, "https://h/flat/Release")
    XCTAssertEqual(page.entries.compactMap(\.key), ["Release", "Packages"].map { CatalogKey($0) })
    XCTAssertEqual(page.parts.map(\.url), ["https://h/flat/Packages"])
    XCTAssertEqual(
      page.terms.signature,
      .beside(CatalogRequest("https://h/flat/Release.gpg"), key: CatalogKey("Release.gpg")))
  }

  func testWhatIsCutOrNamesNoListIsAnError() throws {
    for text in [
      Golden.inRelease.replacing("-----END PGP SIGNATURE-----", with: ""),
      Golden.release.replacing(" main/binary-amd64/Packages.gz", with: ""),
      String(Golden.release.dropLast()), "Suite: stable\n",
      "SHA256:\n \(Golden.digest) 9 main/Contents-all\n",
      "SHA256:\n \(Golden.digest) 9 main/binary-all/Packages.zst\n",
      Golden.release + "\nanother: paragraph\n",
      "no field: x\n" + Golden.release,
    ] {
      XCTAssertThrowsError(
        try CatalogFormats.standard.decode(
          body(text, "https://h/debian/dists/stable/Release"), as: .debian), text)
    }
  }

  func testNoPrefixOfAReleaseIsTheWhole() throws {
    for golden in [Golden.release, Golden.inRelease] {
      let bytes = Array(golden.utf8)
      let whole = golden.hasPrefix("-----") ? bytes.count - 1 : bytes.count
      for length in 0..<whole {
        let body = try Golden.body(Array(bytes[..<length]), Self.address)
        XCTAssertThrowsError(
          try CatalogFormats.standard.decode(body, as: .debian), "\(length) bytes")
      }
    }
  }

  func testTheSamePackageInTwoListsIsOneEntryAndAnotherOneIsAnError() throws {
    for (second, isSame) in [(Golden.packages, true), (Golden.otherPackages, false)] {
      let root = try Golden.url(Self.address)
      var assembly = ListingAssembly(root: root)
      _ = assembly.begin()
      let release = try page(Golden.inRelease)
      var action = assembly.fetched(
        root.text, page: release, digest: Golden.hash("r"), isFramed: true)
      for (part, text) in zip(release.parts, [Golden.packages, second]) {
        let body = CatalogBody(
          url: try Golden.url(part.url), request: part, bytes: Array(text.utf8))
        let page = try CatalogFormats.standard.decode(body, as: .debian)
        action = assembly.fetched(
          part.id, page: page, digest: Golden.hash(text), isFramed: true)
      }
      switch action {
      case .finish(let listing):
        XCTAssertTrue(isSame)
        XCTAssertEqual(
          listing.entries.count { $0.key.bytes.starts(with: "pool/".utf8) }, 1)
        XCTAssertEqual(listing.notes.last.count, 4)
      case .fail(let error):
        XCTAssertFalse(isSame)
        XCTAssertEqual(error, .duplicateKey(CatalogKey("pool/main/a/a_1.0+b_amd64.deb")))
      case .fetch: XCTFail("all pages were given")
      }
    }
  }
}

extension CatalogPage {
  /// As if the source had each form that is listed, but those that stand in for others; without
  /// the names of their digests.
  var withAllForms: CatalogPage {
    var page = self
    page.forms = []
    for listed in forms {
      let usual = listed.forms.filter { !$0.isSpare }
      for entry in usual.compactMap(\.entries.first) { page.take(entry, at: page.count + 1) }
      if let reading = usual.lazy.compactMap(\.reading).first { page.parts.append(reading) }
    }
    return page
  }
}
