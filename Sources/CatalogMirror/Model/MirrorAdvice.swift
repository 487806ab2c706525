public import SyncFolder
import SyncTransport

/// What a person may do with the mirror itself after something went wrong: most often, to set one
/// of its options otherwise. A sentence says it in plain words; a program that has a name of its
/// own for it, as the command line has, can tell that besides.
public enum MirrorAdvice: String, Sendable, CaseIterable {
  /// Raise ``MirrorOptions/maximumCatalogSize``.
  case raiseCatalogSize
  /// Raise ``MirrorOptions/maximumItemSize``.
  case raiseItemSize
  /// Lower ``MirrorOptions/minimumRate``.
  case lowerMinimumRate
  /// Set ``MirrorOptions/format`` otherwise.
  case nameFormat
  /// Correct ``MirrorOptions/mapping``.
  case correctMapping
  /// Set ``MirrorOptions/allowsRollback``.
  case allowRollback
  /// Set ``MirrorOptions/allowsExpired``.
  case allowExpired
  /// Set ``MirrorOptions/acceptsUnsigned``.
  case allowUnsigned
  /// Set ``MirrorOptions/allowsUnframed``.
  case allowUnframed
  /// Set ``MirrorOptions/allowsCoded``.
  case allowCoded
  /// Name the host in ``MirrorOptions/allowedHosts``.
  case allowHost
  /// Allow all items to go in ``MirrorOptions/maximumRemoval``.
  case allowRemovalOfAll
  /// Set ``MirrorOptions/acceptsNewCatalog``.
  case acceptOtherCatalog
  /// Set ``MirrorOptions/vouchesForCompleteness``.
  case vouchForCompleteness
  /// Exclude what lies there in ``MirrorOptions/scope``.
  case leaveOut
  /// Set ``MirrorOptions/makesParents``.
  case makeParents
  /// Sync once without ``MirrorOptions/requiresExisting``.
  case makeMirrorOnce
  /// Set ``MirrorOptions/waitsForLock``.
  case waitForLock
  /// Take ``MirrorOptions/checksSpace`` back.
  case skipSpaceCheck
  /// Sync without ``MirrorOptions/trustsIndex``.
  case lookAtFiles
  /// Write a catalog of the folder, and mirror that: `CatalogWriter` does.
  case publishFolder
  /// Call ``FolderMirror/repair(tellFound:)``.
  case repairFiles
  /// Correct the file of certificates to trust in ``MirrorOptions/access``.
  case correctAuthorities
  /// Correct the file of the client certificate.
  case correctCertificate
  /// Correct the file of the client certificate's key.
  case correctKey
  /// Correct the netrc file.
  case correctNetrc
  /// Correct the file of the bearer token.
  case correctToken
}

extension FolderError {
  /// Which option of the mirror may help.
  public var advice: MirrorAdvice? {
    switch code {
    case .locked: .waitForLock
    case .notAMirror: .makeMirrorOnce
    case .parentMissing: .makeParents
    case .amongFiles, .otherMirror: .leaveOut
    default: nil
    }
  }
}

extension TransportError {
  /// Which option of the mirror may help.
  var advice: MirrorAdvice? {
    switch code {
    case .addressRefused: .allowHost
    case .tooSlow: .lowerMinimumRate
    default: nil
    }
  }
}

/// A sentence and its advice as the index keeps them: one text, with the advice's name in brackets
/// at its end. Texts of earlier versions have none.
struct AdvisedText: Equatable, Sendable {
  var sentence: String
  var advice: MirrorAdvice?

  init(_ sentence: String, _ advice: MirrorAdvice?) {
    self.sentence = sentence
    self.advice = advice
  }

  var kept: String { advice.map { sentence + Self.mark($0) } ?? sentence }

  init(kept text: String) {
    let advice = MirrorAdvice.allCases.first { text.hasSuffix(Self.mark($0)) }
    self.init(advice.map { String(text.dropLast(Self.mark($0).count)) } ?? text, advice)
  }

  private static func mark(_ advice: MirrorAdvice) -> String { " (\(advice.rawValue))" }
}
