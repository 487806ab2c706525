extension PayloadProblem {
  /// Why a path leads to no elements.
  public enum ItemsFault: Sendable, Equatable {
    /// This part of the path isn't in the object that should hold it.
    case absent(String)
    /// The body itself is no object, so that nothing can be in it.
    case bodyIsNoObject
    /// At this part of the path is no object, so that nothing can be in it.
    case noObject(String)
    /// What stands there is no array, through which the path would lead.
    case noArray(String)
    /// An array stands where a path ends that takes values of any name.
    case arrayUnderName
    /// The object that has this name has a member besides that is called as the one that would keep
    /// the name, and says something else.
    case nameTaken(member: String, name: String)
    /// At the path's end is such a value.
    case scalar(Scalar)
  }
}

extension PayloadProblem.ItemsFault {
  var words: String {
    switch self {
    case .absent(let part): "there is no \(part)"
    case .bodyIsNoObject: "the payload is no object"
    case .noObject(let part): "\(part) is no object"
    case .noArray(let part): "\(part) is no array"
    case .arrayUnderName:
      "under the names are arrays; write [] behind it, and declare what tells their objects apart"
    case .nameTaken(let member, let name):
      "the object under \(name) has a member \(member) that says something else; give the name"
        + " another one in the braces: {name}"
    case .scalar(let scalar): "it is \(scalar.words), and neither an array nor an object"
    }
  }
}
