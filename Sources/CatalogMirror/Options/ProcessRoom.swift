/// Whether a process has room for mirrors: open files and, where somebody has set a limit on it,
/// memory to address.
///
/// Every run looks for itself whether it can open enough files. A program looks before: with too
/// few of either, not only runs fail but the system's libraries, and some end the process then.
public enum ProcessRoom {
  /// Makes sure that threads can be started, and that memory which is no longer needed is given
  /// back. To be called first of all, on the program's first thread.
  /// - Throws: ``MirrorError/tooLittleAddressSpace(allowed:needed:)``,
  ///   ``MirrorError/tooFewOpenFiles(allowed:needed:)``.
  public static func prepare() throws(MirrorError) {
    try AddressSpace.prepare()
    try DescriptorLimit.checkForThreads()
  }

  /// Makes sure that a run with one download can open enough files.
  /// - Throws: ``MirrorError/tooFewOpenFiles(allowed:needed:)``.
  public static func check() throws(MirrorError) { try DescriptorLimit.check() }

  /// How many runs at once there is room for; at least one.
  public static var runsAtOnce: Int { AddressSpace.isLimited ? 1 : DescriptorLimit.runs }
}
