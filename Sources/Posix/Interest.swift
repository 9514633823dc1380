/// What a descriptor is watched for.
package enum Interest: Sendable {
  case read, write
  /// As `read`, of what several pollers watch: where the system can, it wakes only some of them.
  case sharedRead
}
