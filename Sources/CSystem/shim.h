// Declarations that `import Glibc` lacks. Header only: no C file is compiled for it.
#ifndef AASA_CSYSTEM_H
#define AASA_CSYSTEM_H

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/vfs.h>

// `prctl` takes a variable number of arguments, which Swift cannot pass.
static inline int aasa_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// The kind of file system that a path is on (statfs(2)); 0 when nobody can tell.
static inline long aasa_file_system(const char *path) {
  struct statfs system;
  return statfs(path, &system) == 0 ? (long)system.f_type : 0;
}

// Declared by hand: defining _GNU_SOURCE here would give `fd_set` another shape than libc's own
// module gives it, and the two could not be used together.
// Nor are libc's socket headers included: their types would then belong to two modules.
struct sockaddr;
extern int accept4(int descriptor, struct sockaddr *address, unsigned int *length, int flags);
extern int pthread_setname_np(unsigned long thread, const char *name);
extern int memfd_create(const char *name, unsigned int flags);
extern long getdents64(int descriptor, void *buffer, __SIZE_TYPE__ size);
extern int syncfs(int descriptor);
extern int malloc_trim(__SIZE_TYPE__ pad);
extern void *memmem(
    const void *text, __SIZE_TYPE__ size, const void *part, __SIZE_TYPE__ part_size);
extern int sched_getaffinity(int process, __SIZE_TYPE__ size, void *set);
#endif

// The variable itself is a mutable global, which Swift refuses to read.
extern char **environ;
static inline char **aasa_environment(void) { return environ; }

#endif
