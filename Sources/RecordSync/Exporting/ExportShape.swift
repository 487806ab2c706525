/// What an object of a table consists of when it leaves, as a tree: the parts of declared names are
/// put together again.
struct ExportShape: Equatable {
  var members: [Member]
  /// What names the row, and no more.
  var key: [Member]

  /// A name with what stands under it.
  struct Member: Equatable {
    var name: String
    var content: Content
  }

  /// What stands under a name.
  indirect enum Content: Equatable {
    /// A column's value.
    case column(MemberMap.ColumnPlace)
    /// The rows of a relation: by their keys alone, or else in full. Of a to-one, further members
    /// may stand in its object that declared names lead into.
    case relation(MemberMap.RelationPlace, inside: [Member])
    /// An object that declared names lead through.
    case inside([Member])
  }
}

extension [ExportShape.Member] {
  /// Adds what stands at the end of a path, unless its place is taken.
  ///
  /// - Parameter mayEnclose: Whether the content can take up what declared names put into it.
  mutating func insert(
    _ path: ArraySlice<String>, _ content: ExportShape.Content, mayEnclose: Bool = false
  ) {
    guard let name = path.first else { return }
    let rest = path.dropFirst()
    guard let place = firstIndex(where: { $0.name == name }) else {
      if rest.isEmpty { return append(.init(name: name, content: content)) }
      var inside: [ExportShape.Member] = []
      inside.insert(rest, content, mayEnclose: mayEnclose)
      return append(.init(name: name, content: .inside(inside)))
    }
    guard case .inside(var inside) = self[place].content else { return }
    if !rest.isEmpty {
      inside.insert(rest, content, mayEnclose: mayEnclose)
      self[place].content = .inside(inside)
    } else if mayEnclose, case .relation(let relation, _) = content {
      self[place].content = .relation(relation, inside: inside)
    }
  }
}
