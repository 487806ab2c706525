/// Of which of several things a line speaks that is written. Set for a task, it holds for all that
/// the task and its children write.
public struct Subject: Sendable {
  /// The program's name, with which its errors begin.
  public var program: String
  public var name: String
  /// What it is, as the member of JSON that names it.
  public var member: String

  /// A thing of that name.
  public init(program: String, _ member: String, _ name: String) {
    self.program = program
    self.member = member
    self.name = name
  }

  /// What is spoken of here; `nil` where there is only one thing.
  @TaskLocal public static var current: Subject?

  /// A line that names what it speaks of: `pictures: done`, `mirror: pictures: it failed`. Of JSON
  /// nothing is changed: an object has a member for it.
  public func named(_ line: String) -> String {
    let start = "\(program): "
    return line.hasPrefix(start)
      ? "\(start)\(name): \(line.dropFirst(start.count))" : "\(name): \(line)"
  }
}
