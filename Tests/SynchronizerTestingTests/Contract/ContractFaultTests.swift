import OneWaySynchronizer
import SynchronizerTesting
import XCTest

/// Each fault is found where it shows, and named for what it is.
final class ContractFaultTests: XCTestCase {
  func testAProcessorThatAsksWhatHasChangedKeepsTheContract() async {
    for removal in [SyncOptions.Removal.beforeDownloads, .afterDownloads] {
      let result = await ProcessorContract.check(options: SyncOptions(removal: removal)) {
        FeedFixture()
      }
      XCTAssertEqual(result.description, "The contract is kept.")
    }
  }

  func testEveryFaultIsNamedAndNotItsShadow() async throws {
    for fault in FeedFault.allCases {
      var options = SyncOptions()
      options.downloadPreview = fault == .needsPreviewForContent
      let result = await ProcessorContract.check(options: options) { FeedFixture(fault: fault) }
      let (check, problem) = fault.mustBeFound
      XCTAssertEqual(result.violations.first?.check, check, "\(fault):\n\(result)")
      for violation in result.violations {
        XCTAssertEqual(violation.problem, problem, "\(fault): \(violation)")
      }
    }
  }

  private static let sentences: [(FeedFault, ContractCheck, String)] = [
    (
      .removesInPlan, .plan,
      """
      [plan] "c" (planned, in prepare ["b", "d", "e"]): a plan removed it; \
      syncWillBegin(_:) says that a pass is a plan: change nothing then
      """
    ),
    (
      .notesVersionWithPreview, .previews,
      """
      [previews] "b" (undisturbed; the pass before: content("b") failed): its preview was \
      fetched and its content wasn't, and it is taken for held as it is listed; \
      note its version and its content only in downloadContent
      """
    ),
    (
      .failsForNoKey, .namedKeys,
      """
      [namedKeys] (undisturbed): localKeys(among:) or localKeys(among:and:) failed: asked about \
      no key, it threw Vanished(); answer whatever they are asked about, be it nothing
      """
    ),
    (
      .sweepsWhatIsNotNamed, .partialList,
      """
      [partialList] "d" (undisturbed): a partial list didn't name it, and it is gone; \
      remove only in removeLocalItems, and only what it is given
      """
    ),
  ]

  func testEachSentenceSaysWhatWasDoneAndWhatToMend() async {
    for (fault, check, sentence) in Self.sentences {
      let result = await ProcessorContract.check([check]) { FeedFixture(fault: fault) }
      XCTAssertEqual(result.description, sentence)
    }
  }

  func testWithoutSuchASourceThereIsNothingToCheckOfListsThatAreNotWhole() async {
    let result = await ProcessorContract.check([.partialList, .changesList]) {
      MemoryFixture(manner: .removesTooMuch)
    }
    XCTAssertEqual(result.description, "The contract is kept.")
  }
}

extension FeedFault {
  /// The check in which it shows first, and what is said of it in all.
  fileprivate var mustBeFound: (ContractCheck, Violation.Problem) {
    switch self {
    case .putsPreviewInPlaceOfContent: (.previews, .previewOverwrote)
    case .takesPreviewForContent, .notesVersionWithPreview: (.previews, .previewTakenForContent)
    case .failsWithoutPreview: (.previews, .previewFailed("Vanished()"))
    case .needsPreviewForContent: (.previews, .previewNeeded("Vanished()"))
    case .removesInPlan: (.plan, .removedByPlan)
    case .downloadsInPlan: (.plan, .downloadedByPlan)
    case .changesInPlan: (.plan, .changedByPlan)
    case .keepsRevisionOfPlan, .keepsRevisionWhereComplete: (.plan, .saidUnchanged)
    case .takesPartForWhole, .takesPartForChanges: (.partialList, .partTakenForWhole)
    case .sweepsWhatIsNotNamed: (.partialList, .lostUnnamed)
    case .keepsRevisionOfPart, .keepsRevisionAlways, .keepsRevisionInMemory,
      .keepsRevisionUnlessItemsFailed:
      (.partialList, .saidUnchanged)
    case .keepsOldRevision: (.durability, .saidUnchanged)
    case .forgetsWhatIsGone: (.changesList, .leftOutOfRemovals)
    case .ignoresRemovalsOfChanges: (.changesList, .notRemoved)
    case .dropsChangesOfWhatItHolds: (.changesList, .leftOutOfChanges)
    case .failsForNoKey: (.namedKeys, .namingFailed("asked about no key, it threw Vanished()"))
    case .namesEveryKey: (.partialList, .namedDifferently)
    case .overlooksOthers: (.changesList, .namedDifferentlyWithItems)
    case .overlooksItems: (.partialList, .namedDifferentlyWithItems)
    case .countsWhatIsAsked: (.partialList, .miscounted)
    case .choosesNothing: (.repeatedPass, .notChosen)
    case .choosesEverything: (.oddKeys, .needlessDownload)
    case .neverDownloadsAgain: (.repeatedPass, .leftOutOfDownloads)
    }
  }
}
