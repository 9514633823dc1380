internal import Bytes
internal import Posix

/// Reads the files of an app, which is in a folder or in an archive.
struct AppPackage {
  /// The app's name, such as `Shop` for `Shop.app`.
  let name: String
  /// Returns the content of a file of the app; nil if the app has no such file.
  let content: (_ name: String, _ limit: Int) throws(AppFileFault) -> [UInt8]?
  let executable: (_ name: String) throws(AppFileFault) -> ForwardReader?
  /// The App Clips that the app contains.
  private(set) var clips: [AppPackage] = []

  /// The name of the folder that contains an app's App Clips.
  static let clipsFolder = "AppClips"

  /// Opens the app `Payload/Shop.app/` of an `.ipa`.
  init(archive: ZIPArchive) throws(AppFileFault) {
    let folders = archive.apps(in: "Payload/")
    guard let folder = folders.first else {
      throw .content("the archive is not an .ipa: it has no Payload/NAME.app")
    }
    guard folders.count == 1 else { throw .content("the archive has several apps") }
    self.init(archive, folder)
    clips = archive.apps(in: folder + Self.clipsFolder + "/").map { AppPackage(archive, $0) }
  }

  /// - Parameter folder: The app's folder, with a trailing slash.
  private init(_ archive: ZIPArchive, _ folder: String) {
    name = Self.name(of: folder)
    func entry(_ name: String) -> ZIPArchive.Entry? { archive.entry(folder + name) }
    content = { (name, limit) throws(AppFileFault) in
      guard let entry = entry(name) else { return nil }
      return try archive.content(entry, limit: limit)
    }
    executable = { name throws(AppFileFault) in
      guard let entry = entry(name) else { return nil }
      return try archive.reader(entry)
    }
  }

  /// The app's name: `Shop` for `Payload/Shop.app/`.
  private static func name(of folder: String) -> String {
    let last = folder.split(separator: "/").last ?? ""
    return String(last.hasSuffix(".app") ? last.dropLast(4) : last)
  }

  /// Opens an app in a folder, and the App Clips that the app may contain.
  init(appFolder folder: String) throws(AppFileFault) {
    self.init(folder: folder)
    let place = folder + "/" + Self.clipsFolder
    guard (try? status(place))?.kind == .directory else { return }
    let names = try mapping(listDirectory(place), to: AppFileFault.system)
    clips = names.filter { $0.hasSuffix(".app") }.sorted().map { name in
      AppPackage(folder: place + "/" + name)
    }
  }

  /// Opens the folder of an app or an App Clip, such as `Shop.app`.
  private init(folder: String) {
    let isOfMac = (try? status(folder + "/Contents/Info.plist")) != nil
    let base = folder + (isOfMac ? "/Contents/" : "/")
    name = Self.name(of: folder)
    content = { (name, limit) throws(AppFileFault) in
      do throws(SystemError) {
        return try readFile(base + name, limit: limit)
      } catch {
        if error.isNotFound { return nil }
        throw .system(error)
      }
    }
    executable = { name throws(AppFileFault) in
      do throws(SystemError) {
        return ForwardReader(try ByteSource(path: base + (isOfMac ? "MacOS/" : "") + name))
      } catch {
        if error.isNotFound { return nil }
        throw .system(error)
      }
    }
  }
}

extension AppFile {
  /// Reads an app from its folder: an `.app`, or an `.xcarchive` that contains one app.
  init(folder: String) throws(AppFileFault) {
    let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let products = folder + "/Products/Applications"
    if (try? status(products))?.kind == .directory {
      let names = try mapping(listDirectory(products), to: AppFileFault.system)
      let apps = names.filter { $0.hasSuffix(".app") }.sorted()
      guard let app = apps.first else { throw .content("the archive has no app") }
      guard apps.count == 1 else {
        throw .content("the archive has several apps; give one of them: \(products)/\(app)")
      }
      try self.init(package: AppPackage(appFolder: products + "/" + app))
      return
    }
    try self.init(package: AppPackage(appFolder: folder))
  }

  /// Reads an app and its App Clips.
  init(package: AppPackage) throws(AppFileFault) {
    try self.init(one: package)
    guard package.clips.count <= AppFileLimits.clips else {
      throw .content(
        "the app has \(package.clips.count) App Clips; the limit is \(AppFileLimits.clips)"
      )
    }
    for clip in package.clips {
      let place = "\(AppPackage.clipsFolder)/\(clip.name).app"
      do throws(AppFileFault) {
        var file = try AppFile(one: clip)
        file.place = place
        clips.append(file)
      } catch {
        guard case .content(let message) = error else { throw error }
        throw .content("\(place): \(message)")
      }
    }
  }

  private init(one package: AppPackage) throws(AppFileFault) {
    guard let information = try package.content("Info.plist", AppFileLimits.textBytes) else {
      throw .content("there is no Info.plist, so this is not an app")
    }
    let executable = try Self.list(information)["CFBundleExecutable"]?.text ?? package.name
    guard !executable.contains("/") else {
      throw .content("CFBundleExecutable in Info.plist contains a slash, but must be a file name")
    }
    var permitted: ProvisioningProfile?
    for name in ["embedded.mobileprovision", "embedded.provisionprofile"] {
      if let bytes = try package.content(name, AppFileLimits.profileBytes) {
        permitted = try ProvisioningProfile(signed: bytes)
      }
    }
    if let reader = try package.executable(executable),
      let blob = try CodeSignature.entitlements(reader)
    {
      self.init(kind: .signedApp, entitlements: try Self.list(blob), profile: permitted)
    } else if let permitted {
      self.init(permitted)
    } else {
      throw .content("the app is not signed: it has neither entitlements nor a profile")
    }
  }
}
