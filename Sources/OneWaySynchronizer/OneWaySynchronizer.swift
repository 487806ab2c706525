// Who imports this module has the engine with it.
@_exported public import SyncEngine
