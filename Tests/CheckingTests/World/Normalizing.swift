extension String {
  /// The report with the parts that depend on the time and the port made equal.
  var normalized: String {
    replacing(":\(CheckWorld.port)", with: ":PORT").replacing(
      "Host: 127.0.0.1:9999", with: "Host: CDN"
    )
    .replacing(":9999/", with: ":CDN/")
    .replacing(/until \d{4}-\d\d-\d\d/, with: "until DAY")
    .replacing(/on \d{4}-\d\d-\d\d/, with: "on DAY")
    .replacing(/before \d{4}-\d\d-\d\d/, with: "before DAY")
    .replacing(/in \d+ days/, with: "in N days")
    .replacing(/for \d+ more days/, with: "for N more days")
    .replacing(/took \d+\.\d s/, with: "took N s")
  }
}
