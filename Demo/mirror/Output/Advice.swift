import CatalogMirror
import CatalogPublishing

/// What the library advises, with the option of this program that does it.
enum Advice {
  /// Who says more of a source.
  static let doctor = "; 'mirror doctor' says what is there"

  /// A sentence of the library's, with the option at its end, before a full stop.
  static func adding(_ advice: MirrorAdvice?, to sentence: String) -> String {
    guard let advice else { return sentence }
    let hasStop = sentence.hasSuffix(".")
    return
      "\(hasStop ? String(sentence.dropLast()) : sentence) (\(advice.option))\(hasStop ? "." : "")"
  }
}

extension MirrorAdvice {
  var option: String {
    switch self {
    case .raiseCatalogSize: "--max-catalog-size"
    case .raiseItemSize: "--max-item-size"
    case .lowerMinimumRate: "--min-rate"
    case .nameFormat: "--format\(Advice.doctor)"
    case .correctMapping: "--map"
    case .allowRollback: "--allow-rollback"
    case .allowExpired: "--allow-expired"
    case .allowUnsigned: "--unsigned"
    case .allowUnframed: "--allow-unframed"
    case .allowCoded: "--allow-coded"
    case .allowHost: "--allow-host"
    case .allowRemovalOfAll: "--max-delete all"
    case .acceptOtherCatalog: "--new-catalog"
    case .vouchForCompleteness: "--complete"
    case .leaveOut: "--exclude"
    case .makeParents: "--parents"
    case .makeMirrorOnce: "without --existing"
    case .waitForLock: "--wait"
    case .skipSpaceCheck: "--no-space-check"
    case .lookAtFiles: "without --trust-index"
    case .publishFolder: "mirror publish"
    case .repairFiles: "verify --repair"
    case .correctAuthorities: "--ca-file"
    case .correctCertificate: "--cert"
    case .correctKey: "--cert-key"
    case .correctNetrc: "--netrc-file"
    case .correctToken: "--token-file"
    }
  }
}

extension MirrorError {
  var told: String { Advice.adding(advice, to: description) }
}

extension PublishError {
  var told: String {
    guard case .locked = self else { return description }
    return Advice.adding(.waitForLock, to: description)
  }
}

extension MirrorReport.Failure {
  var told: String { Advice.adding(advice, to: sentence) }

  /// The same where it's 'mirror doctor' that says it, who sends nobody to itself.
  var toldByDoctor: String { told.replacing(Advice.doctor, with: "") }
}

extension MirrorStatus.Run {
  /// What went wrong first, for whoever called this program.
  var told: String? { error.map { Advice.adding(advice, to: $0) } }
}

extension PartialReason {
  var told: String { Advice.adding(advice, to: description) }
}
