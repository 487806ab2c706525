import OneWaySynchronizer
import SynchronizerTesting
import XCTest

final class ProcessorContractTests: XCTestCase {
  func testACorrectProcessorInMemoryKeepsTheContract() async {
    for manner in [Manner.oneByOne, .inBatches, .listsChanges] {
      let result = await ProcessorContract.check { MemoryFixture(manner: manner) }
      XCTAssertEqual(result.description, "The contract is kept.", "\(manner)")
    }
  }

  func testItKeepsItWithEveryKindOfOptions() async {
    var options = SyncOptions()
    options.downloadPreview = true
    options.removal = .afterDownloads
    options.concurrency = 1
    let result = await ProcessorContract.check(options: options) {
      MemoryFixture(manner: .inBatches)
    }
    XCTAssertEqual(result.description, "The contract is kept.")
  }

  func testACorrectFolderOfFilesKeepsTheContract() async {
    let result = await ProcessorContract.check { FolderFixture(folder: try TextFolder()) }
    XCTAssertEqual(result.description, "The contract is kept.")
  }

  func testAFolderThatIsWrittenInPlaceIsFoundOut() async {
    let result = await ProcessorContract.check {
      FolderFixture(folder: try TextFolder(), writesInPlace: true)
    }
    XCTAssert(result.found(.interruptedDownload, .wrongContent), "\(result)")
    XCTAssert(result.found(.interruptedDownload, .listedNotWhole), "\(result)")
  }

  func testAStoreOfWhichOnlyChecksumsCanBeSeenIsHeldAgainstThem() async {
    let kept = await ProcessorContract.check {
      ChecksumFixture(inner: FolderFixture(folder: try TextFolder()))
    }
    XCTAssertEqual(kept.description, "The contract is kept.")
    let broken = await ProcessorContract.check {
      ChecksumFixture(inner: FolderFixture(folder: try TextFolder(), writesInPlace: true))
    }
    XCTAssert(broken.found(.interruptedDownload, .wrongContent), "\(broken)")
    let unexplained = await ProcessorContract.check([.firstPass]) {
      ChecksumFixture(inner: FolderFixture(folder: try TextFolder()), explainsItself: false)
    }
    XCTAssert(unexplained.found(.firstPass, .wrongContent), "\(unexplained)")
  }

  func testEveryBrokenMannerIsFoundOut() async {
    for manner in Manner.allCases {
      let result = await ProcessorContract.check { MemoryFixture(manner: manner) }
      for (check, problem) in manner.mustBeFound {
        XCTAssert(result.found(check, problem), "\(manner), \(check), \(problem):\n\(result)")
      }
      XCTAssertEqual(result.violations.isEmpty, manner.mustBeFound.isEmpty, "\(manner)")
      XCTAssertEqual(Set(result.notChecked.keys), manner.cannotBeChecked, "\(manner)")
    }
  }

  func testAViolationNamesTheItemAndSaysWhatToMend() async throws {
    let result = await ProcessorContract.check([.removedItem]) {
      MemoryFixture(manner: .forgetsToRemove)
    }
    XCTAssertEqual(
      result.description,
      """
      [removedItem] "c" (undisturbed): it vanished from the source and is still held; \
      check that removeLocalItems removes what it is given, and that localKeys names it
      """)
  }

  func testOnlyTheChecksThatWereAskedForAreMade() async {
    let result = await ProcessorContract.check([.addedItem]) {
      MemoryFixture(manner: .forgetsToRemove)
    }
    XCTAssertEqual(result.violations, [])
  }

  func testWithoutAMisbehavingSourceItSaysWhatWasNotChecked() async {
    let result = await ProcessorContract.check {
      MemoryFixture(manner: .writesInPlace, isInterceptible: false)
    }
    XCTAssertEqual(Set(result.notChecked.keys), [.interruptedDownload, .failedList, .failedItem])
    XCTAssert(result.description.contains("[failedItem] not checked"), "\(result)")
  }
}

extension Manner {
  /// What the contract has to say of this manner; nothing of those that are right.
  fileprivate var mustBeFound: [(ContractCheck, Violation.Problem)] {
    switch self {
    case .oneByOne, .inBatches, .listsChanges: []
    case .forgetsToRemove: [(.removedItem, .notRemoved), (.oddKeys, .notRemoved)]
    case .listsBegunItems:
      [(.interruptedDownload, .listedNotHeld), (.failedItem, .listedNotHeld)]
    case .alwaysUpdates: [(.repeatedPass, .needlessDownload), (.addedItem, .needlessDownload)]
    case .neverUpdates: [(.changedItem, .notChosen)]
    case .writesInPlace:
      [(.interruptedDownload, .wrongContent), (.failedItem, .wrongContent)]
    case .swallowsErrors: [(.failedItem, .errorSwallowed), (.failedItem, .wrongContent)]
    case .losesEverythingOnError: [(.failedItem, .lost), (.interruptedDownload, .lost)]
    case .remembersItsKeys:
      [(.repeatedPass, .heldNotListed), (.repeatedPass, .listedNotHeld)]
    case .takesABrokenListForAnEmptyOne: [(.failedList, .errorSwallowed), (.failedList, .lost)]
    case .dropsTheOldFirst: [(.interruptedDownload, .lost), (.failedItem, .lost)]
    case .commitsTooLate: [(.durability, .committedNotHeld)]
    case .foldsCase: [(.oddKeys, .passFailed(Self.upperTwice)), (.oddKeys, .notInList)]
    case .removesTooMuch: [(.removedItem, .lost)]
    case .forgetsToCommit: [(.firstPass, .missing), (.firstPass, .committedNotHeld)]
    case .listsTooLittle: [(.firstPass, .notInList), (.addedItem, .missing)]
    case .listsTooMuch: [(.firstPass, .inventedInList)]
    case .leavesTemporaryItems: [(.firstPass, .invented)]
    case .overlooksAKey: [(.repeatedPass, .namedDifferently)]
    case .countsTooFew: [(.repeatedPass, .miscounted)]
    case .clearsFirst: [(.failedList, .lost), (.repeatedPass, .needlessDownload)]
    }
  }

  /// What can't be checked, as the item that is to be disturbed is never asked for.
  fileprivate var cannotBeChecked: Set<ContractCheck> {
    [.neverUpdates, .listsTooLittle].contains(self) ? [.interruptedDownload, .failedItem] : []
  }

  private static var upperTwice: String {
    """
    The sync failed: fetchSourceList of upper failed: the key upper is listed twice; \
    give every item a key of its own. Mend the cause, then sync again.
    """
  }
}

extension ContractResult {
  fileprivate func found(_ check: ContractCheck, _ problem: Violation.Problem) -> Bool {
    violations.contains { $0.check == check && $0.problem == problem }
  }
}
