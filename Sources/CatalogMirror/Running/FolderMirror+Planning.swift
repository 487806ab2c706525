import OneWaySynchronizer
import SyncFetching
import SyncFolder
import SyncText
import SyncLock

extension FolderMirror {
  /// Shows what ``sync()`` would do, and why. Makes nothing, not even the folder.
  ///
  /// - Throws: ``MirrorError``, when the catalog can't be read or the folder can't be looked at.
  public func plan() async throws -> MirrorPlan {
    let connection = try SourceConnection(options, in: environment, observer: observer)
    do {
      let inspection = try await FolderInspection.open(options, in: environment)
      let plan: MirrorPlan
      do {
        plan = try await self.plan(connection, inspection)
      } catch {
        await inspection.close()
        throw error
      }
      await inspection.close()
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
    if let folder = inspection.folder, !options.acceptsNewCatalog {
      try await CatalogBinding(
        folder: folder, index: inspection.index, queue: inspection.fileQueue
      ).check(CatalogIdentity(connection.root))
    }
    // Whether the file system folds names is tried out with files, and a plan makes none.
    let catalog = CatalogSource(
      connection, options, folding: environment.folding ?? .none, at: environment.now(),
      observer: observer)
    let processor = MirrorProcessor(
      planning: options, inspection: inspection, catalog: catalog, observer: observer,
      in: environment)
    do {
      let found = try await Synchronizer(processor: processor, options: options.syncOptions).plan()
      return MirrorPlan(found, processor.pass.withLock { $0 })
    } catch let error as SyncError<MirrorItem.ID> {
      let pass = processor.pass.withLock { $0 }
      guard let cause = error.report.failures.first?.cause else { throw CancellationError() }
      guard case MirrorError.emptyListing(let held) = cause else {
        throw cause
      }
      var plan = MirrorPlan(PlannedPass(), pass)
      plan.refusedRemoval = (held, held)
      return plan
    }
  }
}

extension MirrorPlan {
  /// What the engine found out, with what the pass knows of it.
  init(_ found: PlannedPass<MirrorItem.ID>, _ pass: MirrorPass) {
    fetches = pass.fetches
    removals = pass.rows(of: found.removals).filter(pass.view.hasSomething)
      .map(\.key.description)
    if case .removalRefused(let count, let local) = found.report.outcome {
      refusedRemoval = (count, local)
    }
    kept = pass.tally.kept
    outside = pass.tally.outside
    hasNewScope = pass.hasNewScope
    let listing = pass.fetched?.listing
    wasUnchanged = listing?.isUnchanged ?? false
    partial = listing?.partialReasons ?? []
    leftOut = (listing?.leftOut ?? []).map(LeftOut.init)
    unreadable = (listing?.unreadable ?? []).map(MirrorReport.Failure.init)
  }
}
