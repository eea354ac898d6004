// What a whole program costs, from its start to its end.

#ifndef SECTILE_CPROGRAMS_H
#define SECTILE_CPROGRAMS_H

#include <stdint.h>

// Runs a program with its output in a file and its messages in another, and returns its exit code, or
// -1 where it cannot be run. Times are in nanoseconds.
int program_run(char *const arguments[], const char *output, const char *errors, double *cpu, double *wall);

// Runs a program, and returns the peak of its resident memory in bytes, or -1.
//
// Asked at its very end, of its own memory: what wait4 tells never is less than what the program
// that started it had.
int64_t program_peak_memory(char *const arguments[]);

#endif
