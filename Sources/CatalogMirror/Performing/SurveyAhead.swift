import SyncLock

/// Looks at every item of an index while the catalog's lines are held against those that are known:
/// the one takes one processor, the other another.
///
/// Only once the lines are asked for: before that, the catalog may turn out to be the one of last
/// time, and nobody needs the look.
final class SurveyAhead: Sendable {
  private let index: MirrorIndex
  private let (begun, begin) = AsyncStream.makeStream(of: Void.self)

  init(_ index: MirrorIndex) {
    self.index = index
  }

  /// What is known before a listing, with lines after which the look begins.
  func following(_ before: CatalogSource.Before) -> CatalogSource.Before {
    var following = before
    following.knownLines = { [begin] in
      let lines = try before.knownLines()
      HeldLocks.assertNone()
      if !lines.isEmpty { begin.yield() }
      return lines
    }
    return following
  }

  /// Has a listing fetched, with what ``following(_:)`` gives. What was found is `nil` where no
  /// line was asked for, and of an unchanged listing.
  func look(
    while fetch: () async throws -> CatalogSource.Fetched
  ) async throws -> (fetched: CatalogSource.Fetched, survey: ItemSurvey?) {
    async let survey = survey()
    let fetched = try await fetch()
    begin.finish()
    return (fetched, fetched.listing.isUnchanged ? nil : try await survey)
  }

  private func survey() async throws -> ItemSurvey? {
    for await _ in begun { return try await index.read { try $0.survey() } }
    return nil
  }
}
