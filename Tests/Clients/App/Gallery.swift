import Foundation
import Observation
import OneWaySynchronizer

// A photo gallery. The app is compiled with default isolation to the main actor: what is none of
// its business, such as the processor, says `nonisolated`.

nonisolated struct Photo: SyncItem {
  let id: String
  let version: Int
}

nonisolated protocol PhotoServer: Sendable {
  func photos() async throws -> [Photo]
  func thumbnail(of key: String) async throws -> Data
  func picture(of key: String) async throws -> Data
}

/// What is held: pictures, and thumbnails in a place of their own.
actor PhotoShelf {
  private(set) var pictures: [String: (version: Int, data: Data)] = [:]
  private(set) var thumbnails: [String: Data] = [:]

  func put(_ picture: Data, of photo: Photo) { pictures[photo.id] = (photo.version, picture) }
  func put(thumbnail: Data, of photo: Photo) { thumbnails[photo.id] = thumbnail }
  func remove(_ keys: Set<String>) {
    for key in keys { (pictures[key], thumbnails[key]) = (nil, nil) }
  }
}

nonisolated struct PhotoProcessor: StoreSyncProcessor {
  let server: any PhotoServer
  let shelf: PhotoShelf

  func fetchSourceList() async throws -> SourceList<Photo> {
    .complete(try await server.photos())
  }
  func localKeys() async throws -> Set<String> { Set(await shelf.pictures.keys) }
  func removeLocalItems(_ keys: Set<String>) async throws { await shelf.remove(keys) }
  func shouldUpdate(_ photo: Photo) async throws -> Bool {
    await shelf.pictures[photo.id]?.version != photo.version
  }
  func downloadPreview(of photo: Photo) async throws {
    await shelf.put(thumbnail: try await server.thumbnail(of: photo.id), of: photo)
  }
  func downloadContent(of photo: Photo) async throws {
    await shelf.put(try await server.picture(of: photo.id), of: photo)
  }
  var commitsEachDownload: Bool { true }  // a picture is there when its download has returned
}

/// What the gallery's views show and call.
@Observable
final class Gallery {
  private(set) var thumbnails: [String: Data] = [:]
  /// Photos that the server has no longer, until somebody has said whether they are to go.
  private(set) var vanished: Set<String> = []
  private(set) var message: String?
  private let status: SyncModel
  private let synchronizer: Synchronizer<PhotoProcessor>
  private let shelf: PhotoShelf

  init(server: any PhotoServer, shelf: PhotoShelf) {
    let options = SyncOptions(concurrency: 2, downloadPreview: true, stopOnError: false)
    self.shelf = shelf
    synchronizer = Synchronizer(
      processor: PhotoProcessor(server: server, shelf: shelf), options: options)
    status = SyncModel(synchronizer)
  }

  var isRefreshing: Bool { status.isSyncing }

  /// Shows each thumbnail as it comes, for as long as the view's task lives.
  func showThumbnails() async {
    let events = synchronizer.events  // before the shelf is asked, so that none is missed
    thumbnails = await shelf.thumbnails
    for await event in events {
      guard case .itemFinished(let item) = event, item.stage == .downloadPreviews else { continue }
      thumbnails[item.key] = await shelf.thumbnails[item.key]
    }
  }

  func refresh() async { await run { try await $0.sync() } }

  /// Somebody has seen what vanished, and agrees: these go, and no others.
  func letVanishedGo() async {
    let agreed = vanished
    await run { try await $0.sync(allowing: agreed) }
  }

  /// The picture that somebody wants to see, before all others.
  func open(_ key: String) async -> Data? {
    await run { try await $0.ensure(key) }
    return await shelf.pictures[key]?.data
  }

  private func run(_ work: (Synchronizer<PhotoProcessor>) async throws -> Void) async {
    (message, vanished) = (nil, [])
    do {
      try await work(synchronizer)
    } catch is CancellationError {
      return  // the view is gone
    } catch let error as SyncError<String> where !error.refusedRemovals.isEmpty {
      vanished = error.refusedRemovals
    } catch {
      message = error.localizedDescription
    }
    thumbnails = await shelf.thumbnails
  }
}
