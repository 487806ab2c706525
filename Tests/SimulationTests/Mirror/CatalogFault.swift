import TestSupport

/// What is wrong with the catalog in one run.
enum CatalogFault: CaseIterable, Sendable {
  case none
  /// 503 to the first request.
  case busyOnce
  /// 503 to every request.
  case busy
  case notFound
  case loginPage
  case emptyBody
  /// Complete, and nothing in it.
  case emptyList
  /// Nothing says that absence means anything.
  case unvouched
  /// Cut at a random byte, where nobody notices.
  case cutUnnoticed
  /// Cut at a random byte; the server had said how much would come.
  case cut
  /// A later page is gone.
  case lostPage
  /// The revision of a while ago.
  case rollback
  /// The revision of last time over another catalog.
  case sameRevision
  /// Rubbish after the last line.
  case trailingRubbish
  /// A count that isn't so.
  case wrongCount
  /// A key that leads out of the folder, among the others.
  case hostileKey
  /// A key twice.
  case duplicateKey

  /// Whether what a run then gets is a complete list of what is published, and may remove.
  var isHarmless: Bool {
    switch self {
    case .none, .busyOnce, .hostileKey: true
    case .busy, .notFound, .loginPage, .emptyBody, .emptyList, .unvouched, .cutUnnoticed, .cut,
      .lostPage, .rollback, .sameRevision, .trailingRubbish, .wrongCount, .duplicateKey:
      false
    }
  }

  /// Most often none.
  static func drawn(_ random: inout SeededGenerator) -> CatalogFault {
    random.oneIn(2) ? .none : allCases.randomElement(using: &random) ?? .none
  }
}
