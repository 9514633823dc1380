// The system's C library under one name, so that the modules that call it need one import.
// `CSystem` adds what `import Glibc` lacks, and `CResolver` adds the resolver. The headers declare
// the same socket types, so all of them must be visible together.
@_exported public import CResolver

#if canImport(Glibc)
  @_exported public import CSystem
  @_exported public import Glibc
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
