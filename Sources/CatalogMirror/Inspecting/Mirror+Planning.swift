import OneWaySynchronizer
import SyncFetching
import SyncFolder

extension Mirror {
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
      connection, options, folding: environment.folding ?? .none, observer: observer)
    let processor = PlanProcessor(options: options, inspection: inspection, catalog: catalog)
    var sync = MirrorProcessor.syncOptions(for: options)
    sync.removal = .afterDownloads
    do {
      try await Synchronizer(processor: processor, options: sync).sync()
    } catch let error as SyncError<MirrorItem.ID> {
      return try Self.plan(processor.plan, endedBy: error)
    }
    return processor.plan
  }

  private static func plan(
    _ plan: MirrorPlan, endedBy error: SyncError<MirrorItem.ID>
  ) throws -> MirrorPlan {
    var plan = plan
    if case .removalRefused(let count, let local) = error.code {
      plan.refusedRemoval = (count, local)
      return plan
    }
    guard let cause = error.report.failures.first?.cause else { throw CancellationError() }
    if case MirrorError.emptyListing(let held) = cause {
      plan.refusedRemoval = (held, held)
      return plan
    }
    throw cause is CatalogError ? MirrorError.catalog(sentence(of: cause)) : cause
  }
}
