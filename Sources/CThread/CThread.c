#include "CThread.h"

static _Thread_local const void *value_of_thread;

const void *sectile_thread_value(void)
{
  return value_of_thread;
}

void sectile_set_thread_value(const void *value)
{
  value_of_thread = value;
}
