// The system's C library under one name, so that a module that calls it needs only one import.
// `CSystem` adds functions that `import Glibc` does not provide, and `CResolver` adds the DNS
// resolver. All of them must be imported together, because their headers declare the same socket
// types.
@_exported public import CResolver

#if canImport(Glibc)
  @_exported public import CSystem
  @_exported public import Glibc
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
