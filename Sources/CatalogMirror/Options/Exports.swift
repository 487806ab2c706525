// What this module's public signatures name is declared in rooms below it, which are no products: a
// program that imports the mirror gets their public types with it.
@_exported public import SyncFetching
@_exported public import SyncFolder
@_exported public import SyncText
