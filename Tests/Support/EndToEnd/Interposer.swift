import Foundation
import Testing

/// Makes the kernel behave as a test needs it: a library, loaded before the program's own
/// (LD_PRELOAD), between the program and the C library. The wall clock is off by the number of
/// seconds in one file. Calls that open, list, check or watch anything whose path begins with the
/// path in another file do not return as long as that file exists, as on a network mount whose server
/// is gone; those that open or look up a path that begins with the one in a third file fail, as on a
/// disk with a fault; each call for a path that begins with the one in a fourth file takes 100 ms, one
/// after the other, as on a share far away. The library records files that are opened for writing or flushed to the disk.
/// There is no IPv6 if TEST_NO_IPV6 is set, and times of files are whole seconds if
/// TEST_WHOLE_SECONDS is, as on NFS 3.
struct Interposer {
  let environment: [String: String]
  private let clock: String
  private let hung: String
  private let failing: String
  private let slow: String
  private let writings: String
  private let flushes: String

  /// - Parameter workspace: where its files lie.
  init(in workspace: Workspace) throws {
    clock = workspace.path("clock-offset")
    hung = workspace.path("hung-path")
    failing = workspace.path("failing-path")
    slow = workspace.path("slow-path")
    writings = workspace.path("writings")
    flushes = workspace.path("flushes")
    let library = try Self.library.get()
    environment = [
      "LD_PRELOAD": library, "TEST_CLOCK": clock, "TEST_HUNG": hung, "TEST_FAILING": failing,
      "TEST_SLOW": slow, "TEST_WRITINGS": writings, "TEST_FLUSHES": flushes,
    ]
    try setClock(by: 0)
  }

  /// Sets the wall clock that the program sees; the monotonic clock is unaffected.
  func setClock(by seconds: Int) throws {
    // Renamed over, so that no half of it is read.
    try Data("\(seconds)".utf8).write(to: URL(fileURLWithPath: clock), options: .atomic)
  }

  func hang(_ path: String) throws {
    try Data(path.utf8).write(to: URL(fileURLWithPath: hung), options: .atomic)
  }

  func fail(_ path: String) throws {
    try Data(path.utf8).write(to: URL(fileURLWithPath: failing), options: .atomic)
  }

  /// Whether a call for the path was slow.
  var isSlow: Bool { access(slow + ".met", F_OK) == 0 }

  func slowDown(_ path: String) throws {
    try Data(path.utf8).write(to: URL(fileURLWithPath: slow), options: .atomic)
  }

  /// Whether a call waits, or has waited, for the path.
  var somebodyWaits: Bool { access(hung + ".met", F_OK) == 0 }

  /// The paths that were opened to be written, or made.
  var written: [String] { lines(writings) }

  /// The paths that were flushed to the disk.
  var flushed: [String] { lines(flushes) }

  private func lines(_ path: String) -> [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  func goOn() throws { try FileManager.default.removeItem(atPath: hung) }

  /// A C compiler, and a loader that takes such a library.
  static var isThere: Bool {
    #if os(Linux)
      (try? library.get()) != nil
    #else
      false
    #endif
  }

  /// Compiled once for all tests.
  private static let library = Result { try compiledLibrary(source, as: "interposer") }
}

/// The path of a library for LD_PRELOAD, made of C.
func compiledLibrary(_ source: String, as name: String) throws -> String {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  let compilers = folders.flatMap { ["\($0)/cc", "\($0)/clang"] }
  guard let compiler = compilers.first(where: { access($0, X_OK) == 0 }) else {
    throw Failure("there is no C compiler")
  }
  let path = NSTemporaryDirectory() + "/aasa-\(name)-\(getpid())"
  try Data(source.utf8).write(to: URL(fileURLWithPath: path + ".c"))
  defer { unlink(path + ".c") }
  let compiling = try run(
    compiler, ["-shared", "-fPIC", "-O1", "-o", path + ".so", path + ".c", "-ldl"])
  guard compiling.exitCode == 0 else { throw Failure("\(compiler): \(compiling.errors)") }
  return path + ".so"
}

extension Trait where Self == ConditionTrait {
  static var needsInterposer: Self {
    .enabled(if: Interposer.isThere, "no library can be put before the program's own")
  }
}

private let source = #"""
  #define _GNU_SOURCE
  #include <dirent.h>
  #include <dlfcn.h>
  #include <errno.h>
  #include <fcntl.h>
  #include <pthread.h>
  #include <stdint.h>
  #include <sys/inotify.h>
  #include <stdarg.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  #include <sys/socket.h>
  #include <sys/stat.h>
  #include <sys/syscall.h>
  #include <sys/time.h>
  #include <time.h>
  #include <unistd.h>

  /* The content of the file that a variable names, by system calls alone. */
  static int content(const char *variable, char *buffer, int size) {
    const char *path = getenv(variable);
    if (!path) return -1;
    int saved = errno;
    int file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    int count = file < 0 ? -1 : syscall(SYS_read, file, buffer, size - 1);
    if (file >= 0) syscall(SYS_close, file);
    buffer[count < 0 ? 0 : count] = 0;
    errno = saved;
    return count;
  }

  static long offset(void) {
    char buffer[32];
    return content("TEST_CLOCK", buffer, sizeof buffer) > 0 ? atol(buffer) : 0;
  }

  int clock_gettime(clockid_t clock, struct timespec *result) {
    int code = syscall(SYS_clock_gettime, clock, result);
    if (code == 0 && clock == CLOCK_REALTIME) result->tv_sec += offset();
    return code;
  }

  time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
  }

  int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    result->tv_sec = now.tv_sec;
    result->tv_usec = now.tv_nsec / 1000;
    return 0;
  }

  /* Leaves a file that shows that a call has met the path in the file that a variable names. */
  static void mark(const char *variable) {
    char met[4096];
    snprintf(met, sizeof met, "%s.met", getenv(variable));
    int file = syscall(SYS_openat, AT_FDCWD, met, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) syscall(SYS_close, file);
  }

  static void wait_for(const char *path) {
    static pthread_mutex_t slowness = PTHREAD_MUTEX_INITIALIZER;
    char slow[4096];
    char hung[4096];
    while (path && content("TEST_HUNG", hung, sizeof hung) > 0
           && !strncmp(path, hung, strlen(hung))) {
      mark("TEST_HUNG");
      struct timespec pause = {0, 5000000};
      syscall(SYS_nanosleep, &pause, 0);
    }
    if (path && content("TEST_SLOW", slow, sizeof slow) > 0 && !strncmp(path, slow, strlen(slow))) {
      mark("TEST_SLOW");
      struct timespec pause = {0, 100000000};
      pthread_mutex_lock(&slowness);
      syscall(SYS_nanosleep, &pause, 0);
      pthread_mutex_unlock(&slowness);
    }
  }

  /* The same for a path below an open folder. */
  static void wait_in(int folder, const char *path) {
    char wanted[8];
    char link[64];
    char full[8192];
    if (!path || *path == '/' || folder == AT_FDCWD) return wait_for(path);
    if (content("TEST_HUNG", wanted, sizeof wanted) <= 0
        && content("TEST_SLOW", wanted, sizeof wanted) <= 0) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    int count = syscall(SYS_readlinkat, AT_FDCWD, link, full, 4000);
    if (count <= 0) return;
    snprintf(full + count, sizeof full - count, "/%s", path);
    wait_for(full);
  }

  /* Whether the disk has a fault at a path below an open folder. */
  static int fails_in(int folder, const char *path) {
    char failing[4096];
    char link[64];
    char full[8192];
    int count = 0;
    if (!path || content("TEST_FAILING", failing, sizeof failing) <= 0) return 0;
    if (*path != '/' && folder != AT_FDCWD) {
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      count = syscall(SYS_readlinkat, AT_FDCWD, link, full, 4000);
      if (count <= 0) return 0;
      full[count++] = '/';
    }
    snprintf(full + count, sizeof full - count, "%s", path);
    if (strncmp(full, failing, strlen(failing))) return 0;
    errno = EIO;
    return 1;
  }

  /* A result as a file system with times of whole seconds gives it. */
  static int rounded(int code, struct stat *result) {
    if (code == 0 && getenv("TEST_WHOLE_SECONDS")) {
      result->st_mtim.tv_nsec = 0;
      result->st_ctim.tv_nsec = 0;
    }
    return code;
  }

  static void note_in(const char *variable, const char *path) {
    const char *notes = getenv(variable);
    if (!notes) return;
    int mode = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    int file = syscall(SYS_openat, AT_FDCWD, notes, mode, 0600);
    if (file < 0) return;
    char line[4200];
    int count = snprintf(line, sizeof line, "%s\n", path);
    syscall(SYS_write, file, line, count);
    syscall(SYS_close, file);
  }

  static void note(const char *path, int flags) {
    if (flags & (O_WRONLY | O_RDWR | O_CREAT)) note_in("TEST_WRITINGS", path);
  }

  int fsync(int number) {
    char link[64];
    char path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", number);
    int count = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[count < 0 ? 0 : count] = 0;
    note_in("TEST_FLUSHES", path);
    return syscall(SYS_fsync, number);
  }

  int socket(int domain, int kind, int protocol) {
    if (domain == AF_INET6 && getenv("TEST_NO_IPV6")) {
      errno = EAFNOSUPPORT;
      return -1;
    }
    return syscall(SYS_socket, domain, kind, protocol);
  }

  #define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
  #define MODE(last) va_list list; va_start(list, last); int mode = va_arg(list, int); va_end(list)

  int open(const char *path, int flags, ...) {
    MODE(flags);
    note(path, flags);
    wait_for(path);
    return NEXT(open)(path, flags, mode);
  }
  int open64(const char *path, int flags, ...) {
    MODE(flags);
    note(path, flags);
    wait_for(path);
    return NEXT(open64)(path, flags, mode);
  }
  int openat(int folder, const char *path, int flags, ...) {
    MODE(flags);
    note(path, flags);
    wait_in(folder, path);
    if (fails_in(folder, path)) return -1;
    return NEXT(openat)(folder, path, flags, mode);
  }
  int fstatat(int folder, const char *restrict path, struct stat *restrict result, int flags) {
    wait_in(folder, path);
    if (fails_in(folder, path)) return -1;
    return rounded(NEXT(fstatat)(folder, path, result, flags), result);
  }
  ssize_t readlinkat(int folder, const char *restrict path, char *restrict buffer, size_t size) {
    wait_in(folder, path);
    if (fails_in(folder, path)) return -1;
    return NEXT(readlinkat)(folder, path, buffer, size);
  }
  int inotify_add_watch(int watcher, const char *path, uint32_t mask) {
    wait_for(path);
    return NEXT(inotify_add_watch)(watcher, path, mask);
  }
  DIR *opendir(const char *path) {
    wait_for(path);
    return NEXT(opendir)(path);
  }
  int stat(const char *restrict path, struct stat *restrict result) {
    wait_for(path);
    if (fails_in(AT_FDCWD, path)) return -1;
    return rounded(NEXT(stat)(path, result), result);
  }
  int fstat(int file, struct stat *result) { return rounded(NEXT(fstat)(file, result), result); }
  int lstat(const char *restrict path, struct stat *restrict result) {
    wait_for(path);
    if (fails_in(AT_FDCWD, path)) return -1;
    return rounded(NEXT(lstat)(path, result), result);
  }
  ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size) {
    wait_for(path);
    return NEXT(readlink)(path, buffer, size);
  }
  """#
