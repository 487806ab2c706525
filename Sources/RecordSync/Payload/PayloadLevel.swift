/// An array or an object of a payload that is open, around its elements or beside them.
struct PayloadLevel: Sendable {
  let isObject: Bool
  /// What it is for. An array's values are for the same.
  let role: Role
  /// The names of its members so far, where it is a step of the path.
  private(set) var names: Set<[UInt8]> = []

  enum Role: Sendable, Equatable {
    /// It stands at that step of the path, counted from 0 for the whole body. What stands at the
    /// last step is an array of elements, or one.
    case step(Int)
    case element
    /// It is only checked.
    case passedOver
  }

  init(isObject: Bool, role: Role) {
    self.isObject = isObject
    self.role = role
  }

  /// Takes the name of a member, and says what its value is for; `nil` when the name was there.
  mutating func take(_ name: [UInt8], _ path: PayloadPath?) -> Role? {
    guard case .step(let step) = role, let path else { return .passedOver }
    guard names.insert(name).inserted else { return nil }
    return name == path.names[step] ? .step(step + 1) : .passedOver
  }
}
