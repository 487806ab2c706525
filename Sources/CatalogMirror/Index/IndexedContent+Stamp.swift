import SyncFiles

extension IndexedContent {
  /// What tells the state that we left the file in.
  var stamp: FileStamp {
    get { FileStamp(size: size, modifiedNanoseconds: modifiedNanoseconds, inode: inode) }
    set {
      size = newValue.size
      modifiedNanoseconds = newValue.modifiedNanoseconds
      inode = newValue.inode ?? inode
    }
  }
}
