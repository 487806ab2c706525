import CatalogMirror
import Console
import Foundation
import SyncFetching
import XCTest

@testable import mirror

/// What configurations, the environment and command lines come to together.
final class ConfigurationTests: ConfigurationTestCase {
  func testEachMirrorHasItsOwnSettingsAndThoseOfAll() throws {
    let text =
      "[defaults]\nretries = 2\nheader = A: 1\njobs = 2\ninterval = 1h\n" + one
      + "retries = 7\npreviews = no\n" + two
      + "header = B: 2\nheader = C: 3\nexisting = yes\n"
    let configuration = try read(text)
    let (first, second) = (configuration.mirrors[0], configuration.mirrors[1])
    XCTAssertEqual([first.name, second.name], ["one", "two"])
    XCTAssertEqual(first.invocation.mirror.catalog, "http://h/one/")
    XCTAssertEqual(first.invocation.mirror.folder, "/tmp/one")
    XCTAssertEqual(first.invocation.mirror.retries, 7)
    XCTAssertEqual(first.invocation.mirror.previews, .none)
    XCTAssertEqual(first.invocation.mirror.access.headers.map(\.name), ["A"])
    XCTAssertEqual(second.invocation.mirror.retries, 2)
    XCTAssertTrue(second.invocation.mirror.requiresExisting)
    XCTAssertEqual(second.invocation.mirror.access.headers.map(\.name), ["B", "C"])
    XCTAssertEqual(configuration.width, 2)
    let watched = try read(text, command: "watch").order
    XCTAssertEqual(watched.jobs.map(\.timing.interval), [.seconds(3_600), .seconds(3_600)])
  }

  func testAMirrorInAnothersFolderHasToBeLeftOutThere() throws {
    let inner = "[inner]\ncatalog = http://h/inner/\nfolder = /tmp/x/../one/sub/inner\n"
    for text in [inner + one, one + inner] {
      XCTAssertEqual(
        problem(text),
        """
        'FILE', line \(text.hasPrefix(inner) ? 3 : 6): folder: it lies in that of [one]; use one \
        elsewhere, or have that mirror leave it out: write exclude = /sub/inner/ below [one]
        """)
    }
    XCTAssertNotEqual(problem(one + inner, ["one"]), "none", "also where only one is asked for")
    for pattern in ["/sub/inner/", "/sub", "inner"] {
      XCTAssertEqual(problem(one + "exclude = \(pattern)\n" + inner), "none")
    }
    XCTAssertNotEqual(problem(one + "exclude = *.iso\n" + inner), "none")
    let beside = "[inner]\ncatalog = http://h/inner/\nfolder = /tmp/one-more\n"
    XCTAssertEqual(problem(one + beside), "none")
  }

  func testTheCommandLineCountsMoreThanTheEnvironmentAndThatMoreThanTheFile() throws {
    let text = "[defaults]\nretries = 1\n" + one + "retries = 2\nmax-delete = 5%\n" + two
    let cases: [([String], [String: String], Int, Int)] = [
      ([], [:], 2, 1), ([], ["MIRROR_RETRIES": "3"], 3, 3),
      (["--retries", "4"], ["MIRROR_RETRIES": "3"], 4, 4),
      ([], ["MIRROR_RETRIES": "", "MIRROR_NONSENSE": "x", "MIRROR_REPAIR": "x"], 2, 1),
    ]
    for (arguments, environment, first, second) in cases {
      let mirrors = try read(text, arguments, environment).mirrors
      XCTAssertEqual(mirrors.map(\.invocation.mirror.retries), [first, second], "\(environment)")
    }
    let kept = try read(text, ["--no-delete"]).mirrors
    XCTAssertEqual(kept.map(\.invocation.mirror.maximumRemoval), [.never, .never])
    let headers = try read(text, [], ["MIRROR_HEADER": "A: 1\nB: 2"]).mirrors
    XCTAssertEqual(headers[0].invocation.mirror.access.headers.map(\.name), ["A", "B"])
  }

  func testNamesChooseAmongTheMirrorsInTheOrderOfTheFile() throws {
    XCTAssertEqual(try read(one + two, ["two"]).mirrors.map(\.name), ["two"])
    XCTAssertEqual(try read(one + two, ["two", "one", "two"]).mirrors.map(\.name), ["one", "two"])
    XCTAssertEqual(try read(one + two).mirrors.map(\.name), ["one", "two"])
    XCTAssertTrue(problem(one + two, ["tow"]).contains("no mirror 'tow'; did you mean 'two'?"))
  }

  func testMistakesAreNamedWithTheirLine() {
    let cases: [(String, String)] = [
      ("", "'FILE' names no mirror"), ("[defaults]\nretries = 1\n", "'FILE' names no mirror"),
      (one + "retires = 3", "'FILE', line 4: 'retires' is no setting; did you mean 'retries'?"),
      (one + "Retries = 3", "line 4: 'Retries' is no setting; write 'retries'"),
      (one + "--retries = 3", "line 4: '--retries' is no setting; write 'retries'"),
      (one + "retries = many", "line 4: retries: 'many' is no number"),
      (one + "existing = maybe", "line 4: existing: 'maybe' won't do; write yes or no"),
      (one + "max-delete = 5\n\nno-delete = yes", "line 6: no-delete: "),
      (one + "folder = /tmp/x", "line 4: 'folder' is there already, in line 3"),
      (one + one, "line 4: [one] is there already, in line 1"),
      (one + "[three]\nfolder = /tmp/3", "line 4: [three] says no catalog"),
      ("[three]\ncatalog = http://h/", "line 1: [three] says no folder"),
      ("[defaults]\ncatalog = http://h/\n" + one, "line 2: each has a catalog of its own"),
      (one + "jobs = 3", "line 4: 'jobs' holds for all together; write it below [defaults]"),
      ("[defaults]\nconfig = other\n" + one, "line 2: 'config' is for the command line"),
      (one + "[three]\ncatalog = http://h/\nfolder = /tmp/../tmp/one", "line 6: folder: [one] has"),
      ("[t]\ncatalog = http://h/\nfolder = ~/t", "line 3: folder: no shell reads this"),
      ("[t]\ncatalog = ftp://me:c2VjcmV0@h/\nfolder = t", "line 2: catalog: this is no address"),
      ("[t]\ncatalog =\nfolder = t", "line 2: catalog is empty"),
      (one + "retries = \"3\"", "line 4: retries: the quotes would be a part of it"),
      ("[t]\ncatalog = 'http://h/'\nfolder = t", "line 2: catalog: the quotes would be"),
      ("[t]\ncatalog = http://h/\nfolder = \"t\"", "line 3: folder: the quotes would be"),
      ("[t]\ncatalog = http://h/\nfolder = t  # mine", "line 3: folder: what stands behind the"),
      ("[t]\ncatalog = http://h/ ; x\nfolder = t", "line 2: catalog: what stands behind the ';'"),
      (one + "exclude = *.iso # big", "line 4: exclude: what stands behind the '#'"),
      ("[t]\ncatalog = http://h/\nfolder = t ", "line 3: folder: the blank at its end"),
      (one + "token-file = ~/token", "line 4: token-file: no shell reads this"),
      (
        "[defaults]\nlog-file = /tmp/x.log\n[t]\ncatalog = http://h/\nfolder = /tmp",
        "line 2: log-file: '/tmp/x.log' would lie in '/tmp'"
      ),
      (one + "interval = 0s", "line 4: interval: '0s' is too short"),
      ("[a\u{202E}b]\ncatalog = http://h/\nfolder = t", "line 1: a name is made of"),
      (one + "Authorization: Bearer c2VjcmV0 = x", "line 4: what stands before the '='"),
    ]
    for (text, part) in cases {
      let told = problem(text)
      XCTAssertTrue(told.contains(part), "\(text)\n\(told)")
      XCTAssertFalse(told.contains("c2VjcmV0"))
    }
    XCTAssertTrue(problem(one, [], ["MIRROR_RETRIES": "x"]).contains("MIRROR_RETRIES: 'x'"))
  }

  func testAllMistakesAreToldAtOnce() {
    XCTAssertEqual(
      problem(one + "retries = many\nfoldr = x\n" + "[two]\ncatalog = http://h/two/\n")
        .split(separator: "\n").map { $0.prefix { $0 != ":" } },
      ["'FILE', line 4", "'FILE', line 5", "'FILE', line 6"])
  }

  func testAFileThatCannotBeReadIsSaidToBeSo() {
    for (path, part) in [("/no/such", "isn't there"), ("/", "can't be read")] {
      let source = ConfigurationSource(path, CommandLineWords(.sync), environment: [])
      XCTAssertThrowsError(try source.read()) { XCTAssertTrue("\($0)".contains(part), "\($0)") }
    }
  }

  func testAConfigurationOfTheEnvironmentIsSetAsideForACatalogOrAFolder() throws {
    try Data(one.utf8).write(to: URL(filePath: path))
    for (command, operands, isConfigured) in [
      (Invocation.Command.sync, [], true), (.sync, ["one"], true),
      (.sync, ["http://h/", "f"], false), (.plan, ["http://h/", "f"], false),
      (.status, ["one"], true), (.status, ["./one"], false), (.verify, ["/srv/one"], false),
    ] {
      let words = CommandLineWords<Invocation.Command>(command, operands)
      let invocation = try Invocation(words, in: ["MIRROR_CONFIG": path])
      XCTAssertEqual(invocation.source != nil, isConfigured)
      if isConfigured { XCTAssertEqual(try invocation.source?.read().mirrors.count, 1) }
    }
  }

  func testACheckShowsWhatWasUnderstoodAndNoSecret() throws {
    let text =
      "[defaults]\nheader = X-Secret: hidden1\nretries = 3\n"
      + "[one]\ncatalog = https://me:hidden2@h/c?x=1\nfolder = /tmp/one\ntoken-file = /hidden3\n"
      + "[two]\ncatalog = https://h/c?token=hidden4\nfolder = /tmp/two?x\n"
      + "after-change = curl -u me:hidden5 h\nafter-failure = curl -u me:hidden6 h\n"
    let lines = ConfigCommand.lines(of: try read(text))
    XCTAssertEqual(
      lines,
      [
        "[one]", "catalog = https://h/c?…", "folder = /tmp/one", "header = (not shown)",
        "retries = 3", "token-file = (not shown)", "",
        "[two]", "catalog = https://h/c?…", "folder = /tmp/two?x", "header = (not shown)",
        "retries = 3", "after-change = (not shown)", "after-failure = (not shown)", "",
        "2 mirrors, and nothing is wrong with them",
      ])
  }

  func testAPathIsSeenFromTheDirectoryOfTheFile() throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let names = folder + "/names-\(UUID().uuidString)"
    try Data("A: 1\n".utf8).write(to: URL(filePath: names))
    defer { try? FileManager.default.removeItem(atPath: names) }
    let name = URL(filePath: names).lastPathComponent
    let text =
      "[defaults]\nlog-file = log\n[one]\ncatalog = http://h/\nfolder = ./one\n"
      + "token-file = token\nheader = @\(name)\nfiles-from = \(name)\n"
    let configuration = try read(text)
    let options = try XCTUnwrap(configuration.mirrors.first).invocation.mirror
    XCTAssertEqual(options.folder, folder + "/one")
    XCTAssertEqual(options.access.tokenFile, folder + "/token")
    XCTAssertEqual(options.access.headers.map(\.name), ["A"])
    XCTAssertNotNil(options.scope.names)
    XCTAssertEqual(configuration.whole.logFile, folder + "/log")
    XCTAssertTrue(ConfigCommand.lines(of: configuration).contains("folder = \(folder)/one"))
  }

  func testWhatIsPassedOnMayHoldQuotesAndSigns() throws {
    let text =
      one + "header = X-Note: \"a\" # b\nafter-change = \"/opt/x\" \"$HOME\"\nexclude = C #5*\n"
    let invocation = try XCTUnwrap(try read(text).mirrors.first).invocation
    XCTAssertEqual(invocation.mirror.access.headers.map(\.value), ["\"a\" # b"])
    XCTAssertEqual(invocation.unattended.afterChange, "\"/opt/x\" \"$HOME\"")
    XCTAssertEqual(invocation.mirror.scope.rules, [.exclude(try KeyPattern("C #5*"))])
  }

  func testWhoOnlyLooksReadsTheSameFile() throws {
    let text = "[defaults]\nretries = 2\njobs = 2\n" + one + "header = A: 1\nlast = x\n" + two
    for command in ["plan", "status", "verify"] {
      let mirrors = try read(text, ["two"], command: command).mirrors
      XCTAssertEqual(mirrors.map(\.name), ["two"], command)
      XCTAssertEqual(mirrors.map(\.invocation.mirror.folder), ["/tmp/two"], command)
    }
    let nested = one + "exclude = /in/\n[in]\ncatalog = http://h/in/\nfolder = /tmp/one/in\n"
    XCTAssertEqual(try read(nested, command: "status").mirrors.map(\.name), ["one", "in"])
    let plan = try XCTUnwrap(try read(text, command: "plan").mirrors.first).invocation.mirror
    XCTAssertEqual(plan.catalog, "http://h/one/")
    XCTAssertEqual([plan.retries, plan.last.count, plan.access.headers.count], [2, 1, 1])
  }

  func testOneMirrorIsLookedAtAfterTheOtherAndTheGravestStatusCounts() async throws {
    try Data((one + two).utf8).write(to: URL(filePath: path))
    var words = CommandLineWords<Invocation.Command>(.status, [])
    words.settings = [Setting("config", path)]
    var seen: [String] = []
    let status = try await EachCommand(try Invocation(words, in: [:])).run { mirror, _ in
      seen.append("\(Subject.current?.name ?? "") \(mirror.mirror.folder)")
      if seen.count == 1 { throw UsageError("it can't be") }
      return .someFailed
    }
    XCTAssertEqual(seen, ["one /tmp/one", "two /tmp/two"])
    XCTAssertEqual(status, .usage)
  }

  func testFiltersOfAStrongerPlaceReplaceAllOfThoseOfAWeakerOne() throws {
    let text = "[defaults]\nexclude = *.iso\nlast = index\n" + one + two + "include = *.img\n"
    let kept = ScopeRule.include(try KeyPattern("keep.iso"))
    for (arguments, environment) in [
      (["--include", "keep.iso"], [:]), ([], ["MIRROR_INCLUDE": "keep.iso"]),
    ] {
      let mirrors = try read(text, arguments, environment).mirrors
      XCTAssertEqual(mirrors.map(\.invocation.mirror.scope.rules), [[kept], [kept]])
      XCTAssertEqual(mirrors.map(\.invocation.mirror.last.count), [1, 1])
    }
    let rules = try read(text).mirrors.map(\.invocation.mirror.scope.rules)
    XCTAssertEqual(rules[0], [.exclude(try KeyPattern("*.iso"))])
    XCTAssertEqual(rules[1], [.include(try KeyPattern("*.img"))])
  }
}
