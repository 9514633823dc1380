/// The events that a descriptor is watched for.
package enum Interest: Sendable {
  case read, write
  /// Like `read`, for a descriptor that several pollers watch: the system wakes only some of them
  /// if it can.
  case sharedRead
}
