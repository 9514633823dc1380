# The formula for Homebrew, built from source. A release fills in the words between @ signs; put the
# result into a tap as Formula/aasa.rb.
class Aasa < Formula
  desc "Server and tools for Apple App Site Association files"
  homepage "@HOMEPAGE@"
  url "@SOURCE@"
  sha256 "@SHA256@"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on macos: :tahoe
  depends_on "openssl@3"
  uses_from_macos "zlib"

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "aasa"
    bin.install ".build/release/aasa"
    generate_completions_from_executable(bin/"aasa", "--generate-completion-script")
    man1.mkpath
    system bin/"aasa", "man", "--output", man1
    (etc/"aasa").install "Config/server.json"
    # Empty: a file for every host belongs in no server that its owner has not filled.
    (etc/"aasa/domains").mkpath
    (etc/"aasa/certificates").mkpath
  end

  service do
    run [opt_bin/"aasa", "serve", "--config", etc/"aasa/server.json"]
    keep_alive true
    error_log_path var/"log/aasa.log"
    log_path var/"log/aasa.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/aasa version")
    assert_match "aasa", shell_output("#{bin}/aasa --help")
  end
end
