import SyncFiles

/// Where files go that are moved out of the tree.
package enum AwayArea: String, Hashable, Sendable {
  /// Files of ours that the catalog no longer has; emptied after a time.
  case quarantine
  /// Files of somebody's; never emptied.
  case displaced

  var path: BeneathPath { .control.appending(rawValue) }
}
