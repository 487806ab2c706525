@testable import CatalogMirror

/// What a run did, key by key.
struct Deeds {
  var report: MirrorReport
  /// What came, or was copied from what was here.
  var fetched: Set<String> = []
  /// From what those were copied that were.
  var copied: [String: CopySource] = [:]
  /// The reasons by which they were fetched.
  var reasons: [String: String] = [:]
  var confirmed: Set<String> = []
  var adopted: Set<String> = []
  var displaced: Set<String> = []
  var removed: Set<String> = []
  var failed: Set<String> = []

  init(of mirror: FolderMirror) async throws {
    let events = mirror.events
    report = try await mirror.sync()
    mirror.endEvents()
    for await event in events {
      switch event {
      case .fetched(let key, _, _, let reason):
        fetched.insert(key)
        reasons[key] = reason
      case .copied(let key, let source, _, _, let reason):
        fetched.insert(key)
        reasons[key] = reason
        copied[key] = source
      case .confirmed(let key): confirmed.insert(key)
      case .adopted(let key): adopted.insert(key)
      case .displaced(let key, _): displaced.insert(key)
      case .removed(let key): removed.insert(key)
      case .failed(let key, _, _): failed.insert(key)
      default: break
      }
    }
  }
}
