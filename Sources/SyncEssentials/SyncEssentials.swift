// What Foundation has without its internationalization, its networks and its processes: the only
// place where it is imported. Where the small library exists, a program that links nothing else of
// Foundation starts sooner, since loading the large one takes longer than all the rest.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
