/// What the engine does with each of many items, compiled for the types of one processor. It is the
/// engine's own, and has no members for you.
///
/// `_work` of ``SyncProcessor`` gives it by default, and so the compiler makes it in the module
/// that conforms, for the very types that conform. The engine itself knows only that there are such
/// types: there, each key that is hashed and each item that is looked at would be several calls,
/// and a pass over a million would take three times as long.
@_documentation(visibility: internal)
public struct PassWork<Item: SyncItem>: Sendable {
  @usableFromInline typealias Comparison = ListComparison<Item>
  /// Settles the success of the item at a place and says what comes next.
  @usableFromInline typealias Next = @Sendable (_ place: Int) -> DownloadTurn

  /// What only processors of large stores are asked.
  @usableFromInline package let store: StoreCalls<Item>
  /// Refuses a list that names a key twice.
  @usableFromInline let check: @Sendable (SourceList<Item>) throws -> CheckedList<Item>
  /// Compares a list with the local keys.
  @usableFromInline let compare: @Sendable (CheckedList<Item>, Set<Item.ID>) -> Comparison
  /// What is downloaded, when so many of the items on both sides are to be updated.
  @usableFromInline let choose: @Sendable (Comparison, [Item]) throws -> [Item]
  /// Refuses what `prepareDownload` made of the second if it names a key twice; answers which keys
  /// it left out.
  @usableFromInline let checkPrepared: @Sendable ([Item], [Item]) throws -> Set<Item.ID>
  /// The table of items that are known to have each key once.
  @usableFromInline let table: @Sendable ([Item]) -> KeyTable<Item>
  /// Downloads one item after the other, from a place on, for as long as each succeeds and nothing
  /// else is to be done for it.
  @usableFromInline let download:
    @Sendable ([Item], Transfer, _ first: Int, Next) async -> DownloadTurn

  @inlinable
  init<Processor: SyncProcessor>(
    for processor: Processor, _ store: StoreCalls<Item>
  ) where Processor.Item == Item {
    self.store = store
    check = { try CheckedList($0) }
    compare = { ListComparison($0, local: $1) }
    choose = { try $0.downloads(updating: $1) }
    checkPrepared = { prepared, wanted in
      if prepared.namesTheKeys(of: wanted) { return [] }
      let table = try KeyTable(prepared)
      return Set(wanted.lazy.map { $0.id }.filter { !table.contains($0) })
    }
    table = { KeyTable(distinct: $0) }
    download = { await Self.download($0, $1, from: $2, by: processor, $3) }
  }

  @inlinable
  static func download<Processor: SyncProcessor>(
    _ items: [Item], _ transfer: Transfer, from first: Int, by processor: Processor, _ next: Next
  ) async -> DownloadTurn where Processor.Item == Item {
    var turn = DownloadTurn.plain(first)
    let nobody = DownloadProgress()
    while case .plain(let place) = turn {
      do {
        switch transfer {
        case .preview: try await processor.downloadPreview(of: items[place], progress: nobody)
        case .content: try await processor.downloadContent(of: items[place], progress: nobody)
        }
        turn = next(place)
      } catch {
        return .failed(place, error)
      }
    }
    return turn
  }
}
