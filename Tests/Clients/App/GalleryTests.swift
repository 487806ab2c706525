import Foundation
import Observation
import OneWaySynchronizer
import SynchronizerTesting
import XCTest

nonisolated final class GalleryTests: XCTestCase {
  @MainActor
  func testThePictureThatIsOpenedComesBeforeAllOthers() async {
    let server = StubPhotos(30)
    let shelf = PhotoShelf()
    let gallery = Gallery(server: server, shelf: shelf)
    // No other picture comes before the gate is open.
    await server.hold(picturesBut: "photo 29")
    let picture = await gallery.open("photo 29")
    XCTAssertEqual(picture, Data("picture of photo 29".utf8))
    XCTAssertEqual(gallery.thumbnails.count, 30, "the thumbnails come before all pictures")
    server.gate.open()
    await gallery.refresh()
    let held = await shelf.pictures.count
    XCTAssertEqual(held, 30)
    XCTAssertNil(gallery.message)
  }

  @MainActor
  func testThumbnailsAreShownAsTheyComeAndASpinnerUntilThePicturesAreThere() async {
    let server = StubPhotos(3)
    await server.hold(picturesBut: "none")
    let gallery = Gallery(server: server, shelf: PhotoShelf())
    let view = Task { await gallery.showThumbnails() }
    let refreshing = Task { await gallery.refresh() }
    await until { gallery.thumbnails.count == 3 && gallery.isRefreshing }
    server.gate.open()
    await refreshing.value
    await until { !gallery.isRefreshing }
    view.cancel()
    await view.value
  }

  @MainActor
  func testPhotosThatVanishedGoOnlyOnceSomebodyHasAgreed() async {
    let server = StubPhotos(10)
    let gallery = Gallery(server: server, shelf: PhotoShelf())
    await gallery.refresh()
    await server.keepOnly(2)
    await gallery.refresh()
    XCTAssertEqual(gallery.vanished.count, 8)
    XCTAssertEqual(gallery.thumbnails.count, 10)
    await gallery.letVanishedGo()
    XCTAssertEqual(gallery.vanished, [])
    XCTAssertEqual(gallery.thumbnails.count, 2)
  }

  @MainActor
  func testAMessageIsASentenceForPeople() async {
    let server = StubPhotos(1)
    await server.keepOnly(0)
    let gallery = Gallery(server: server, shelf: PhotoShelf())
    _ = await gallery.open("photo 0")
    XCTAssertEqual(
      gallery.message,
      "The key photo 0 is neither listed nor held; look for it again after the next sync.")
  }

  @MainActor
  func testAGalleryThatIsLetGoOfIsGone() async {
    weak var gone: Gallery?
    do {
      let gallery = Gallery(server: StubPhotos(3), shelf: PhotoShelf())
      await gallery.refresh()
      gone = gallery
    }
    XCTAssertNil(gone)
  }
}

/// Waits until what a view observes is as it has to be.
private func until(_ condition: @escaping () -> Bool) async {
  while !condition() {
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = condition()
      } onChange: {
        continuation.resume()
      }
    }
  }
}

/// A server of photos that don't exist.
private actor StubPhotos: PhotoServer {
  nonisolated let gate = Gate(open: true)
  private var all: [Photo]
  private var free: String?

  init(_ count: Int) { all = (0..<count).map { Photo(id: "photo \($0)", version: 1) } }

  func keepOnly(_ count: Int) { all = Array(all.prefix(count)) }

  func hold(picturesBut key: String) {
    free = key
    gate.close()
  }

  func photos() -> [Photo] { all }

  func thumbnail(of key: String) -> Data { Data("thumbnail of \(key)".utf8) }

  func picture(of key: String) async throws -> Data {
    if key != free { try await gate.wait() }
    return Data("picture of \(key)".utf8)
  }
}
