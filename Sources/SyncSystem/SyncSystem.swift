// The system's C library, whatever it is called: the only place where it is imported, so that no
// file asks for all three names of it.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif
