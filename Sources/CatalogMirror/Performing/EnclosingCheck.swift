import SyncFiles
import SyncFolder
import SyncText

/// Makes sure that a folder that is to become a mirror doesn't lie among the files of another one:
/// each would take the other's files for strangers'. A place in another mirror's tree where that
/// one has nothing is as good as any.
struct EnclosingCheck: Sendable {
  private let folder: String
  private let environment: MirrorEnvironment

  /// The check of the options' folder.
  init(_ options: MirrorOptions, in environment: MirrorEnvironment) {
    folder = options.folder
    self.environment = environment
  }

  /// - Throws: ``FolderError``, also when the other mirror can't be asked, as while it is at work.
  func check() async throws {
    let outer = try await environment.makeDiskQueue().run { [folder, environment] in
      MirrorFolder.enclosing(folder, in: environment.fileSystem)
    }
    guard let outer, await !hasNothing(outer) else { return }
    throw FolderError(
      .amongFiles(ofMirror: ByteString.escape(outer.path)), ByteString.escape(folder))
  }

  private func hasNothing(_ outer: EnclosingMirror) async -> Bool {
    let options = MirrorOptions(catalog: "", folder: outer.path)
    guard
      let inspection = try? await FolderInspection.open(
        options, in: environment, observer: MirrorObserver())
    else { return false }
    let knows = try? await inspection.requireIndex()?.read { try $0.knowsItem(at: outer.place) }
    await inspection.close()
    // Without a marker it is no mirror, whatever else lies there.
    return inspection.folder == nil || knows == false
  }
}
