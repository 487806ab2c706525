import SyncFiles
import SyncFolder

/// Which catalog a folder mirrors: kept in its index and in its marker, so that it survives the
/// loss of either. Folders of earlier versions have neither, and take it up in their next good run;
/// until then the address that they show tells.
struct CatalogBinding: Sendable {
  let folder: MirrorFolder
  /// `nil` when there is none that could be read.
  let index: MirrorIndex?
  let queue: any DiskQueue

  /// Makes sure that the folder mirrors no other catalog.
  /// - Throws: ``MirrorError/otherCatalog(kept:asked:)``
  func check(_ asked: CatalogIdentity) async throws {
    // What is wrong with an index, the run finds out; the marker tells meanwhile.
    let inIndex = try? await index?.read { try $0.value(.catalogIdentity) }
    let inMarker = try await queue.run { [folder] in try folder.keptCatalog() }
    var kept = inIndex ?? inMarker
    // Where items were taken up and no identity was, an earlier version did it. (A run that was
    // only asked for something leaves an address, too.)
    if kept == nil, let index {
      kept = try? await index.read { try $0.itemCount() > 0 ? $0.value(.catalog) : nil }
    }
    let identity = kept.flatMap { CatalogIdentity(kept: $0) }
    guard let identity, !identity.admits(asked) else { return }
    throw MirrorError.otherCatalog(kept: identity.text, asked: asked.text)
  }

  /// Remembers the catalog, where it isn't remembered yet: in the marker first, since the index is
  /// asked first.
  func keep(_ catalog: CatalogIdentity) async throws {
    let text = catalog.text
    try await queue.run { [folder] in
      guard try folder.keptCatalog() != text else { return }
      try folder.keep(catalog: text)
    }
    guard let index, try await index.read({ try $0.value(.catalogIdentity) }) != text else {
      return
    }
    try await index.write { try $0.setValue(text, for: .catalogIdentity) }
  }
}
