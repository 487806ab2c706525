/// An index on what stands at paths, so that queries find documents by it without a look at all.
///
/// It serves conditions on its first path, and on the next ones where those before are equal to
/// something, and it has documents sorted by its paths. One of no paths has the documents of each
/// collection by their ids. Each costs a part of each write.
public struct MemberIndex: Sendable, Hashable {
  /// The paths.
  public let paths: [DocumentPath]

  /// An index on these paths, the first of which matters most.
  public init(on paths: DocumentPath...) {
    self.paths = paths
  }

  /// An index on these paths, the first of which matters most.
  public init(paths: [DocumentPath]) {
    self.paths = paths
  }
}
