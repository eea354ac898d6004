#define _GNU_SOURCE
#include "CPrograms.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds_to_nanoseconds(struct timeval time) {
  return time.tv_sec * 1e9 + time.tv_usec * 1e3;
}

int program_run(char *const arguments[], const char *output, const char *errors, double *cpu, double *wall) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  struct timespec start, end;
  pid_t pid;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int code = posix_spawn(&pid, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code) return -1;
  int status;
  struct rusage usage;
  if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status)) return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  *cpu = seconds_to_nanoseconds(usage.ru_utime) + seconds_to_nanoseconds(usage.ru_stime);
  *wall = (end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec);
  return WEXITSTATUS(status);
}

static int64_t peak_memory_now(pid_t pid) {
  char line[256];
  snprintf(line, sizeof line, "/proc/%d/status", pid);
  FILE *file = fopen(line, "r");
  if (!file) return -1;
  long kibibytes = -1;
  while (fgets(line, sizeof line, file) && sscanf(line, "VmHWM: %ld", &kibibytes) != 1) continue;
  fclose(file);
  return kibibytes < 0 ? -1 : (int64_t)kibibytes * 1024;
}

int64_t program_peak_memory(char *const arguments[]) {
  pid_t pid = fork();
  if (pid < 0) return -1;
  if (pid == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execv(arguments[0], arguments);
    _exit(127);
  }
  int64_t peak = -1;
  int status;
  int is_first = 1;
  while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
    int signal = WSTOPSIG(status);
    if (is_first) {
      ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)PTRACE_O_TRACEEXIT);
      is_first = 0;
    } else if (status >> 8 == (SIGTRAP | (PTRACE_EVENT_EXIT << 8))) {
      peak = peak_memory_now(pid);
    }
    ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)(signal == SIGTRAP ? 0 : signal));
  }
  return peak;
}
