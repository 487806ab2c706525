/// A processor has neither of the two forms of the method that downloads contents.
@usableFromInline
struct MissingDownload: Error, CustomStringConvertible {
  @inlinable
  init() {}

  @usableFromInline var description: String {
    """
    the processor can't download contents; give it downloadContent(of:), or \
    downloadContent(of:progress:)
    """
  }
}
