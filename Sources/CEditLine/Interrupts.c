#define _GNU_SOURCE

#include "CEditLine.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

// MARK: - Ctrl-C while a statement runs

static sem_t interrupts;

static void post_interrupt(int number)
{
    (void)number;
    int error = errno;
    sem_post(&interrupts);
    errno = error;
}

void sectile_interrupt_catch(void)
{
    static int is_ready;
    if (!is_ready) sem_init(&interrupts, 0, 0);
    is_ready = 1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = post_interrupt;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

void sectile_interrupt_release(void) { signal(SIGINT, SIG_DFL); }

void sectile_interrupt_wait(void)
{
    // The thread at the prompt is the one to be woken by signals.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    while (sem_wait(&interrupts) != 0 && errno == EINTR) {}
}
