import Console

extension OptionTable<Invocation> {
  /// The same table, in which one command takes all that another one does, but for these options.
  func giving(
    _ command: Invocation.Command, whateverHas other: Invocation.Command, but left: Set<String>
  ) -> OptionTable<Invocation> {
    OptionTable(
      groups.map { group in
        var group = group
        for (place, option) in group.options.enumerated()
        where option.commands.contains(other) && !left.contains(option.name) {
          group.options[place].commands.insert(command)
        }
        return group
      })
  }
}
