import Console
import XCTest

/// What shells read to complete words. Whether they do is tried with `mirror`'s own, in bash.
final class CompletionTests: XCTestCase {
  private let completion = Completion(Order.program)

  func testBashKnowsCommandsOptionsAndValues() {
    let script = completion.script(for: .bash)
    for line in [
      "compgen -W 'bake taste --help --version' -- \"$word\"",
      "--flour) mapfile -t COMPREPLY < <(compgen -W 'wheat rye' -- \"$word\"); return ;;",
      "--list) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;",
      "--loaves|-n) :; return ;;",
      "compgen -W '--loaves --flour --seed --plain --list --quiet --verbose --help'",
      "complete -F _baker baker",
      "\"${COMP_WORDS[0]}\" secret -- \"${COMP_WORDS[@]:1:COMP_CWORD}\"",
    ] {
      XCTAssertTrue(script.contains(line), "\(line) isn't in\n\(script)")
    }
  }

  func testZshKnowsWhatEachOptionIsFor() {
    let script = completion.script(for: .zsh)
    for line in [
      "#compdef baker\n", "'bake:bake something'",
      "'--flour=[which of them]:wheat|rye:(wheat rye)'",
      "'*--seed=[what is strewn on it]:NAME: '", "'(-q --quiet)'{-q,--quiet}'[say little]'",
      "'(-n --loaves)'{-n+,--loaves=}'[how many]:N: '", "'1:OVEN:_files -/'",
      "'1:LOAF:_baker_asked'", "'*:BESIDE:{_baker_asked || _files}'", "'1::WORD:(salt pepper)'",
      "baker secret -- \"${(@Q)words[1,CURRENT]}\"",
    ] {
      XCTAssertTrue(script.contains(line), "\(line) isn't in\n\(script)")
    }
  }

  func testFishKnowsWhatEachOptionIsFor() {
    let script = completion.script(for: .fish)
    for line in [
      "complete -c baker -n __fish_use_subcommand -a bake -d 'bake something'\n",
      "-n '__fish_seen_subcommand_from bake taste' -s q -l quiet -d 'say little'\n",
      "-n '__fish_seen_subcommand_from bake' -l list -r -F -d 'what to bake'\n",
      "-l flour -r -a 'wheat rye' -d", "-s n -l loaves -x -d 'how many'\n",
      "-n '__fish_seen_subcommand_from bake' -a '(__fish_complete_directories)'",
      "from taste' -a '(baker secret -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'",
    ] {
      XCTAssertTrue(script.contains(line), "\(line) isn't in\n\(script)")
    }
  }
}
