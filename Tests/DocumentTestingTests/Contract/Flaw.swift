import DocumentTesting

/// What is wrong with an endpoint.
enum Flaw: CaseIterable {
  case answersNoCheckpoint, answersAnotherVersion, losesADocument, showsNothing
  case roundsIntegers, foldsIDs
  case stopsAfterAPage, neverEnds, mixesExtents
  case runsAheadWithItsCheckpoint, pagesThroughASnapshot
  case makesUpVersions, leavesOutEqualTimes, forgetsAtOnce
  case swallowsUpdates, keepsVersions, hidesDeletions
  case overwrites, overwritesAndRefuses, removesWhateverIsThere, showsSomethingElse
  case bringsBack, failsOnAbsence
  case ignoresKeys, doesItTwice
  case judgesBatchesAsAWhole, shufflesParts, dropsParts
  case endsAtUnreadable, passesOverUnreadable, takesUnreadableForAbsent
  case neverForgets, hidesRevivals, mixesCollections
  case deniesWhatItSent, wrapsCancellation
  case believesPortals, believesPortalsForMany, seesEmptyListsInPortals, deniesLosses
  case hearsNoWishes, hidesStatuses
  case keepsNoAnswers, tellsItsToken, tellsItsTokenInErrors

  typealias Found = (EndpointCheck, (EndpointViolation.Problem) -> Bool)

  /// What the contract has to say of it.
  var mustBeFound: [Found] { lists + pushes + others }

  private var lists: [Found] {
    switch self {
    case .answersNoCheckpoint: [(.emptyCollection, { $0 == .noCheckpoint })]
    case .losesADocument: [(.createdDocument, { $0 == .notListed })]
    case .roundsIntegers: [(.oddDocuments, { $0 == .wrongContent })]
    case .foldsIDs: [(.oddDocuments, { $0 == .notListed })]
    case .stopsAfterAPage: [(.pages, { $0 == .notListed })]
    case .neverEnds: [(.pages, { $0 == .endless })]
    case .mixesExtents: [(.pages, { $0 == .extentChanged })]
    case .runsAheadWithItsCheckpoint: [(.checkpoints, { $0 == .notListed })]
    case .pagesThroughASnapshot:
      [
        (.changesWhilePaging, { $0 == .wrongContent }),
        (.changesWhilePaging, { $0 == .listedButGone }),
        (.changesWhilePaging, { $0 == .notListed }),
      ]
    case .makesUpVersions: [(.nothingNew, { $0 == .toldWithoutChange })]
    case .leavesOutEqualTimes: [(.equalTimes, { $0 == .notListed })]
    case .forgetsAtOnce: [(.emptyCollection, { $0 == .forgotTooSoon })]
    case .hidesDeletions: [(.deletedDocument, { $0 == .listedButGone })]
    case .neverForgets: [(.forgetting, { $0 == .forgettingNotTold })]
    case .hidesRevivals: [(.revival, { $0 == .revivalNotTold })]
    case .mixesCollections: [(.collections, { $0 == .foreign })]
    default: []
    }
  }

  private var pushes: [Found] {
    switch self {
    case .answersAnotherVersion: [(.createdDocument, { $0 == .wrongVersion })]
    case .showsNothing: [(.createdDocument, Self.isFailure)]
    case .swallowsUpdates: [(.updatedDocument, { $0 == .wrongContent })]
    case .keepsVersions: [(.updatedDocument, { $0 == .versionUsedAgain })]
    case .overwrites:
      [
        (.createOverExisting, Self.isNoConflict), (.staleUpdate, Self.isNoConflict),
        (.createOverExisting, { $0 == .refusedWithEffect }),
      ]
    case .overwritesAndRefuses:
      [
        (.createOverExisting, { $0 == .refusedWithEffect }),
        (.staleUpdate, { $0 == .refusedWithEffect }),
      ]
    case .removesWhateverIsThere: [(.staleDeletion, Self.isNoConflict)]
    case .showsSomethingElse: [(.staleUpdate, { $0 == .wrongShown })]
    case .bringsBack: [(.updateOfDeleted, { $0 == .broughtBack })]
    case .failsOnAbsence:
      [(.repeatedDeletion, { if case .absenceNotTold = $0 { true } else { false } })]
    case .ignoresKeys:
      [(.repeatedKey, { if case .answeredOtherwise = $0 { true } else { false } })]
    case .doesItTwice: [(.repeatedKey, { $0 == .secondEffect })]
    default: []
    }
  }

  private var others: [Found] {
    switch self {
    case .judgesBatchesAsAWhole, .dropsParts:
      [(.batch, { if case .noParts = $0 { true } else { false } })]
    case .shufflesParts:
      [(.batch, { if case .partMisjudged = $0 { true } else { false } })]
    case .endsAtUnreadable: [(.unreadableDocument, Self.isFailure)]
    case .passesOverUnreadable: [(.unreadableDocument, { $0 == .unreadableNotTold })]
    case .takesUnreadableForAbsent:
      [(.unreadableDocument, { $0 == .unreadableTakenForAbsent })]
    case .deniesWhatItSent: [(.cancelling, { $0 == .untrueEnd })]
    case .wrapsCancellation:
      [(.cancelling, { if case .cancellationWrapped = $0 { true } else { false } })]
    case .believesPortals, .believesPortalsForMany, .seesEmptyListsInPortals:
      [(.portal, { if case .portalBelieved = $0 { true } else { false } })]
    case .deniesLosses:
      [(.noAnswer, { if case .lossNotTold = $0 { true } else { false } })]
    case .hearsNoWishes: [(.refusals, { $0 == .wishNotHeard })]
    case .hidesStatuses:
      [(.refusals, { if case .refusalNotTold = $0 { true } else { false } })]
    case .keepsNoAnswers: [(.notes, { $0 == .answerNotKept })]
    case .tellsItsToken, .tellsItsTokenInErrors: [(.notes, { $0 == .secretShown })]
    default: []
    }
  }

  private static func isFailure(_ problem: EndpointViolation.Problem) -> Bool {
    if case .callFailed = problem { true } else { false }
  }

  private static func isNoConflict(_ problem: EndpointViolation.Problem) -> Bool {
    if case .noConflict = problem { true } else { false }
  }
}
