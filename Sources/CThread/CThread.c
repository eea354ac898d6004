#include "CThread.h"

#include <pthread.h>
#include <stdlib.h>

static _Thread_local const void *value_of_thread;

const void *sectile_thread_value(void)
{
  return value_of_thread;
}

void sectile_set_thread_value(const void *value)
{
  value_of_thread = value;
}

struct job {
  void (*run)(void *);
  void *context;
};

static void *run_job(void *argument)
{
  struct job job = *(struct job *)argument;
  free(argument);
  job.run(job.context);
  return NULL;
}

bool sectile_start_thread(void (*run)(void *), void *context)
{
  struct job *job = malloc(sizeof *job);
  pthread_attr_t attributes;
  pthread_t thread;
  bool started;

  if (job == NULL)
    return false;
  job->run = run;
  job->context = context;
  if (pthread_attr_init(&attributes) != 0) {
    free(job);
    return false;
  }
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  started = pthread_create(&thread, &attributes, run_job, job) == 0;
  pthread_attr_destroy(&attributes);
  if (!started)
    free(job);
  return started;
}
