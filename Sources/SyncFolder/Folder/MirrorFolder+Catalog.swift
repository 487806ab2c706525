import SyncFiles
import SyncText

extension MirrorFolder {
  /// The identity of the catalog that the folder's marker names; `nil` where it names none.
  package func keptCatalog() throws -> String? {
    try marker.read()?.catalog
  }

  /// Has the marker name the catalog that the folder mirrors. Only under the folder's lock.
  ///
  /// A marker that vanished meanwhile isn't made anew: it tells that the folder did.
  package func keep(catalog: String) throws {
    guard let id else { return }
    try checkMarker()
    try marker.keep(catalog: catalog, with: id)
  }

  private var marker: FolderMarker {
    FolderMarker(root: root, resolver: resolver, folder: ByteString.escape(path))
  }
}
