import SyncDatabase
import SyncEngine
import SyncFolder

/// An index that contradicts itself, found out by reading or writing it.
///
/// When is it looked for? A full check at every start would read each page of the file: too slow
/// for a million rows. What a run relies on it reads anyway before it does anything: the schema and
/// the migrations when the file is opened, everything but the items when the pass begins, then,
/// with the look at the files or with a new listing, every row of every item, each against its
/// checksum. So a run finds whatever `status`, `plan` or `verify` call damaged; they change nothing
/// and can only send the user to a run. (One that trusts the index and finds the listing unchanged
/// reads of the items only what it has to fetch, and may pass over damage in the others.) What is
/// damaged elsewhere is found when it is used: then the run fails, the file is set aside, and the
/// next run rebuilds it. A value that was changed into another that makes sense is no danger: the
/// look at the files compares it with what is there, and what differs is hashed, displaced and
/// fetched again, never removed.
enum IndexRebuilding: Equatable {
  /// Before anything was decided: nothing has been done yet, so the run can begin again.
  case atTheStart
  case midway

  /// What a pass that has ended tells; `nil` when the index is sound as far as known.
  init?(_ pass: MirrorPass) {
    guard pass.ending?.foundDamagedIndex == true else { return nil }
    self = pass.fetched == nil ? .atTheStart : .midway
  }
}

extension MirrorIndex {
  /// The index belongs to the folder whose id it holds. One that holds another was copied here from
  /// elsewhere: what it says may be of other files, so that it is set aside like a damaged one, and
  /// nothing is lost. A folder that had lost its marker bears a new one, and its index goes on: the
  /// look at the files tells what it still speaks of.
  func checkBelongs(to folder: MirrorFolder) async throws {
    guard let known = try await read({ try $0.value(.folderID) }), let id = folder.id?.text,
      known != id, !folder.isNewlyMarked
    else { return }
    throw DatabaseError(
      code: .damaged, message: "its id isn't that of the folder's marker", path: folder.indexPath)
  }
}
