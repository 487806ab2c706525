/// Names that nothing else has.
enum RandomName {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return FolderID.random(using: &generator).text
  }
}
