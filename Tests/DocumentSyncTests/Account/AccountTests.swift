import DocumentSync
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// Signing in and out, and what a service offers beside it.
final class AccountTests: XCTestCase {
  private let service = ScriptedService()
  private let kept = MemoryCredentials()
  private let attendant = ScriptedAttendant()

  private func makeAccount() -> Account {
    let account = Account(credentials: kept, service: service)
    account.attendant = attendant
    return account
  }

  private func signedIn() async throws -> Account {
    let account = makeAccount()
    try await account.signIn(name: "ann", password: "milk")
    return account
  }

  func testAnAccountIsThereBeforeAnybodySignsIn() async throws {
    let account = makeAccount()
    XCTAssertEqual(account.status, .signedOut)
    try await assertNil(account.authorization())
  }

  func testWhatWasKeptCountsAfterARestart() async throws {
    try await makeAccount().signIn(name: "ann", password: "milk")
    let account = makeAccount()
    try await account.load()
    XCTAssertEqual(account.status, .ready(name: "ann"))
    try await assertEqual(account.authorization(), "Basic YW5uOm1pbGs=")
  }

  func testTokensAreShownAsTheServerWantsThem() async throws {
    for (account, expected) in [
      (Account(), "Bearer abc"), (Account(tokenPrefix: "Token token="), "Token token=abc"),
    ] {
      try await account.signIn(with: .token(name: "ann", token: "abc"))
      try await assertEqual(account.authorization(), expected)
    }
  }

  func testSigningInAsksForOneSyncOnceTheCredentialsAreKept() async throws {
    _ = try await signedIn()
    XCTAssertEqual(attendant.told.withLock { $0 }, ["may become ann", "becomes ann", "sync"])
    await assertEqual(kept.load(), .password(name: "ann", password: "milk"))
  }

  func testAFailedSignInLeavesAllAsItWas() async throws {
    let account = try await signedIn()
    service.answers.withLock { $0.signIn = .failure(ScriptedService.refusal) }
    await assertThrows(
      ScriptedService.refusal, try await account.signIn(name: "bob", password: "beer"))
    XCTAssertEqual(account.status, .ready(name: "ann"))
    await assertEqual(kept.load()?.name, "ann")
    XCTAssertEqual(attendant.told.withLock { $0.filter { $0 == "sync" }.count }, 1)
  }

  func testCredentialsThatCantBeKeptSignNobodyIn() async throws {
    let account = Account(credentials: BrokenCredentials(), service: service)
    await assertThrows(
      BrokenCredentials.Full(), try await account.signIn(name: "ann", password: "milk"))
    XCTAssertEqual(account.status, .signedOut)
  }

  func testMakingAnAccountSignsInAndAsksForASync() async throws {
    let account = makeAccount()
    try await account.makeAccount(name: "ann", password: "milk")
    XCTAssertEqual(account.status, .ready(name: "ann"))
    await assertEqual(kept.load(), .token(name: "ann", token: "first"))
    XCTAssertEqual(attendant.told.withLock { $0.last }, "sync")
  }

  func testAnAccountThatCouldntBeMadeLeavesNothing() async throws {
    let account = makeAccount()
    service.answers.withLock { $0.making = .failure(ScriptedService.refusal) }
    await assertThrows(
      ScriptedService.refusal, try await account.makeAccount(name: "ann", password: "milk"))
    XCTAssertEqual(account.status, .signedOut)
    await assertNil(kept.load())
    XCTAssertEqual(attendant.told.withLock { $0 }, ["may become ann"])
  }

  func testAChangedPasswordReplacesTheKeptOneOnlyOnSuccess() async throws {
    let account = try await signedIn()
    service.answers.withLock { $0.change = .failure(ScriptedService.refusal) }
    await assertThrows(ScriptedService.refusal, try await account.changePassword(to: "beer"))
    await assertEqual(kept.load(), .password(name: "ann", password: "milk"))
    service.answers.withLock { $0.change = nil }
    try await account.changePassword(to: "beer")
    await assertEqual(kept.load(), .password(name: "ann", password: "beer"))
    try await assertEqual(account.authorization(), "Basic YW5uOmJlZXI=")
  }

  func testTheRulesOfTheServiceAreAskedBeforeAnythingIsSent() async throws {
    let account = makeAccount()
    service.answers.withLock { $0.rule = "it has less than 8 characters" }
    let problem = DocumentError.badPassword("it has less than 8 characters")
    await assertThrows(problem, try await account.signIn(name: "ann", password: "milk"))
    await assertThrows(problem, try await account.makeAccount(name: "ann", password: "milk"))
    await assertThrows(problem, try await account.changePassword(to: "milk"))
    let colon = DocumentError.badName("it holds a colon")
    await assertThrows(colon, try await account.signIn(name: "a:b", password: "milk"))
    await assertThrows(colon, try await account.askForPassword(name: "a:b"))
    XCTAssertEqual(service.calls, [])
  }

  func testAPasswordCanBeAskedForByWhoIsntSignedIn() async throws {
    try await makeAccount().askForPassword(name: "ann")
    XCTAssertEqual(service.calls, ["ask ann"])
  }

  func testSettingsAreThoseOfWhoIsSignedIn() async throws {
    let account = makeAccount()
    await assertThrows(DocumentError.signedOut, try await account.settings())
    try await account.signIn(name: "ann", password: "milk")
    try await assertEqual(account.settings(), ["name": "ann"])
    try await assertEqual(account.settings(changedTo: ["theme": "dark"]), ["theme": "dark"])
  }

  func testWhatAServiceDoesntOfferIsAnErrorOfItsOwn() async throws {
    let account = Account()
    await assertThrows(
      DocumentError.notOffered("making an account"),
      try await account.makeAccount(name: "ann", password: "milk"))
    XCTAssertEqual(account.status, .signedOut)
  }

  func testAServiceThatGivesNoCredentialsSignsNobodyIn() async throws {
    struct Silent: AccountService {
      func credentials(for request: AccountRequest) async throws -> AccountCredentials? { nil }
    }
    let account = Account(service: Silent())
    await assertThrows(
      DocumentError.noCredentials, try await account.signIn(name: "ann", password: "milk"))
    XCTAssertEqual(account.status, .signedOut)
    XCTAssertEqual("\(DocumentError.noCredentials)", "the service gave no credentials")
  }

  func testARequestForCredentialsIsNeverPrinted() {
    let requests: [AccountRequest] = [
      .signIn(name: "ann", password: "s3cret"), .makeAccount(name: "ann", password: "s3cret"),
      .changePassword(to: "s3cret", of: .token(name: "ann", token: "s3cret")),
      .renew(.password(name: "ann", password: "s3cret")),
    ]
    for request in requests {
      var dumped = ""
      dump(request, to: &dumped)
      for text in ["\(request)", String(reflecting: request), "\([request])", dumped] {
        XCTAssertFalse(text.contains("s3cret"), text)
      }
    }
  }

  func testSigningOutForgetsTheCredentials() async throws {
    let account = try await signedIn()
    try await account.signOut()
    XCTAssertEqual(account.status, .signedOut)
    XCTAssertEqual(attendant.told.withLock { $0.last }, "has left")
    await assertNil(kept.load())
    try await assertNil(account.authorization())
    XCTAssertEqual(account.secrets, [])
  }

  /// The account was signed out, the credentials stayed, and a restart signed in again.
  func testWhoseCredentialsCannotBeRemovedIsSignedInStill() async throws {
    let stuck = StuckCredentials()
    let account = Account(credentials: stuck, service: service)
    try await account.signIn(name: "ann", password: "milk")
    await assertThrows(StuckCredentials.Stuck(), try await account.signOut())
    XCTAssertEqual(account.status, .ready(name: "ann"))
    try await assertNotNil(account.authorization())
  }

  func testSomebodyElseSignsInOnlyIfThatMayBe() async throws {
    let account = try await signedIn()
    attendant.problem.withLock { $0 = .unsentEdits(3) }
    await assertThrows(
      DocumentError.unsentEdits(3), try await account.signIn(name: "bob", password: "beer"))
    XCTAssertEqual(account.status, .ready(name: "ann"))
    XCTAssertEqual(service.calls, ["sign in ann"], "the service wasn't asked")
  }

  func testOfTwoWhoSignInAtOnceTheLaterOneCounts() async throws {
    let account = makeAccount()
    service.signingIn.close()
    let first = Task { try await account.signIn(name: "ann", password: "milk") }
    try await service.signingIn.waiters(atLeast: 1)
    async let second: Void = account.signIn(name: "bob", password: "beer")
    try await service.signingIn.waiters(atLeast: 2)
    XCTAssertEqual(account.status, .signingIn)
    service.signingIn.open()
    await assertThrows(DocumentError.overtaken, try await first.value)
    try await second
    XCTAssertEqual(account.status, .ready(name: "bob"))
    await assertEqual(kept.load()?.name, "bob")
  }

  func testSigningOutOvertakesASignIn() async throws {
    let account = makeAccount()
    service.signingIn.close()
    let signIn = Task { try await account.signIn(name: "ann", password: "milk") }
    try await service.signingIn.waiters(atLeast: 1)
    try await account.signOut()
    service.signingIn.open()
    await assertThrows(DocumentError.overtaken, try await signIn.value)
    XCTAssertEqual(account.status, .signedOut)
    await assertNil(kept.load())
  }

  func testTheStatusIsAStream() async throws {
    let account = makeAccount()
    var statuses = account.statuses.makeAsyncIterator()
    await assertEqual(statuses.next(), .signedOut)
    try await account.signIn(name: "ann", password: "milk")
    await assertEqual(statuses.next(), .ready(name: "ann"))
    try await account.signOut()
    await assertEqual(statuses.next(), .signedOut)
  }

  func testNothingSecretIsPrinted() async throws {
    let credentials: [AccountCredentials] = [
      .password(name: "ann", password: "hush"), .token(name: "ann", token: "hush", refresh: "hush"),
    ]
    for one in credentials {
      var dumped = ""
      dump(one, to: &dumped)
      XCTAssertFalse("\(one) \(String(reflecting: one)) \(dumped)".contains("hush"))
      XCTAssertTrue(one.secrets.contains("hush"))
    }
  }
}
