import SyncEngine
import SyncFetching
import SyncFiles
import SyncFolder
import SyncLock
import SyncText

extension FolderMirror {
  /// Shows what ``sync()`` would do, and why. Makes nothing, not even the folder.
  ///
  /// - Throws: ``MirrorError``, when the catalog can't be read or the folder can't be looked at.
  public func plan() async throws -> MirrorPlan {
    let connection = try SourceConnection(options, in: environment, observer: observer)
    do {
      let plan = try await FolderInspection.look(
        at: options, in: environment, observer: observer
      ) { try await self.plan(connection, $0) }
      await connection.close()
      return plan
    } catch {
      await connection.close()
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  private func plan(
    _ connection: SourceConnection, _ inspection: FolderInspection
  ) async throws -> MirrorPlan {
    if inspection.folder == nil {
      guard !options.requiresExisting else {
        let path = ByteString.escape(options.folder)
        throw inspection.place == nil
          ? FolderError(.missing, path, reason: Errno.absent.text)
          : FolderError(.notAMirror, path)
      }
      try await environment.checkEnclosing(options.folder)
    }
    if let folder = inspection.folder {
      let binding = CatalogBinding(
        folder: folder, index: inspection.index, queue: inspection.fileQueue)
      if !options.acceptsNewCatalog { try await binding.check(CatalogIdentity(connection.root)) }
      try await binding.checkKeys(options)
    }
    // Whether the file system folds names is tried out with files, and a plan makes none.
    let now = environment.now()
    let context = RunContext(
      options: options, target: PassTarget(inspection),
      catalog: CatalogSource(
        connection, options, folding: environment.folding ?? .none, at: now, observer: observer),
      observer: observer, startedAt: now, time: Timeline(environment.clock),
      environment: environment)
    let processor = MirrorProcessor(context, from: nil)
    do {
      let outcome = try await Synchronizer(
        processor: processor, options: options.syncOptions, executor: nil
      ).plan().report.outcome
      var plan = try await plan(processor.pass.withLock { $0 }, context)
      if case .removalRefused(let count, let local) = outcome {
        plan.refusedRemoval = (count, local)
      }
      return plan
    } catch let error as SyncError<MirrorItem.ID> {
      guard let cause = error.report.failures.first?.cause else { throw CancellationError() }
      guard case MirrorError.emptyListing(let held, _) = cause else { throw cause }
      var plan = try await plan(processor.pass.withLock { $0 }, context)
      plan.refusedRemoval = (held, held)
      plan.refusal = MirrorReport.Failure(key: nil, cause)
      return plan
    }
  }

  /// What a pass says that has ended, with what stands in its items' places.
  private func plan(
    _ pass: MirrorPass, _ context: RunContext
  ) async throws -> MirrorPlan {
    var places: [CatalogKey: PlaceFinding] = [:]
    var filesAbove: [CatalogKey] = []
    if let folder = context.target.place, !pass.folder.wasEmpty {
      let ours = pass.view.rows
      let planned = pass.decided.planned.map(pass.plannedFetch)
      places = try await context.places(of: planned, in: folder) { ours[$0]?.content != nil }
      filesAbove = try await context.filesAbove(
        planned.filter { pass.decided.misplaced[$0.id] == nil }, in: folder)
    }
    var plan = MirrorPlan(pass, places: places, filesAbove: filesAbove)
    let unreadable = UnreadableSet(pass.fetched?.listing.unreadable ?? [])
    let flaws = try await context.target.index?.read { try KnownFlaws(in: $0) }
    if pass.failsOnly(by: flaws ?? KnownFlaws()) { plan.foundKnownFlaws() }
    plan.failed(before: try await context.target.index?.read { try $0.failures() } ?? [])
    plan.trustedIndex = options.trustsIndex
    plan.hasNewUnreadable = try await unreadable.isNews(to: context.target.index)
    return plan
  }
}
