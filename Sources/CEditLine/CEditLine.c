#define _GNU_SOURCE

#include "CEditLine.h"

#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define HISTORY_SIZE 2000

struct sectile_editor {
    EditLine *line;
    History *history;
    const char *prompt;
    sectile_completer completer;
    void *context;
    sigset_t maskOutside;
};

// MARK: - Signals while a line is read
//
// They are blocked, but for the moments in which the editor waits for a key: so none is missed.

static const int promptSignals[] = {SIGINT, SIGWINCH, SIGCONT, SIGTERM, SIGHUP};
#define PROMPT_SIGNAL_COUNT (sizeof promptSignals / sizeof promptSignals[0])

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t resized;
static volatile sig_atomic_t continued;
static volatile sig_atomic_t ended;

static pthread_t promptThread;

static void note_signal(int number)
{
    // Another thread may be the one that gets it; the one that waits for a key must wake up.
    if (!pthread_equal(pthread_self(), promptThread)) {
        pthread_kill(promptThread, number);
        return;
    }
    switch (number) {
    case SIGINT: interrupted = 1; break;
    case SIGWINCH: resized = 1; break;
    case SIGCONT: continued = 1; break;
    default: ended = number; break;
    }
}

static void answer_signals(EditLine *line)
{
    if (continued) {
        // The shell that stopped this process has changed the terminal's settings.
        continued = 0;
        el_set(line, EL_PREP_TERM, 0);
        el_set(line, EL_PREP_TERM, 1);
        el_set(line, EL_REFRESH);
    }
    if (resized) {
        resized = 0;
        el_resize(line);
        // The editor forgets where it was; the line is drawn anew over what there is.
        fputs("\r\033[J", stdout);
        el_set(line, EL_REFRESH);
    }
}

static int read_key(EditLine *line, wchar_t *key)
{
    sectile_editor *editor = NULL;
    el_get(line, EL_CLIENTDATA, &editor);
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (;;) {
        answer_signals(line);
        if (interrupted || ended) {
            errno = EINTR;
            return -1;
        }
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (ppoll(&input, 1, NULL, &editor->maskOutside) < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        char byte;
        ssize_t count = read(STDIN_FILENO, &byte, 1);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count <= 0) return (int)count;
        size_t length = mbrtowc(key, &byte, 1, &state);
        if (length == (size_t)-2) continue;
        if (length == (size_t)-1) {
            // No character of this encoding.
            memset(&state, 0, sizeof state);
            continue;
        }
        return 1;
    }
}

// MARK: - The editor

static char *prompt_of(EditLine *line)
{
    sectile_editor *editor = NULL;
    el_get(line, EL_CLIENTDATA, &editor);
    return (char *)editor->prompt;
}

static size_t character_count(const char *text)
{
    size_t count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static unsigned char complete(EditLine *line, int key)
{
    (void)key;
    sectile_editor *editor = NULL;
    el_get(line, EL_CLIENTDATA, &editor);
    const LineInfo *info = el_line(line);
    size_t count = (size_t)(info->cursor - info->buffer);

    // Text that is pasted has tabs, too, and at the start of a line they indent.
    int waiting = 0;
    ioctl(STDIN_FILENO, FIONREAD, &waiting);
    size_t blanks = 0;
    while (blanks < count && (info->buffer[blanks] == ' ' || info->buffer[blanks] == '\t')) blanks++;
    if (blanks == count || waiting > 1) {
        return el_insertstr(line, "  ") == 0 ? CC_REFRESH : CC_ERROR;
    }

    char *before = strndup(info->buffer, count);
    if (!before) return CC_ERROR;
    struct sectile_completion completion = {0, NULL, NULL};
    editor->completer(editor->context, before, &completion);
    int is_changed = completion.inserted && *completion.inserted;
    if (is_changed && (size_t)completion.deleted <= character_count(before)) {
        if (completion.deleted > 0) el_deletestr(line, completion.deleted);
        if (el_insertstr(line, completion.inserted) != 0) is_changed = 0;
    }
    int is_listed = completion.listed && *completion.listed;
    if (is_listed) {
        printf("\n%s", completion.listed);
        fflush(stdout);
    }
    free(completion.inserted);
    free(completion.listed);
    free(before);
    return is_listed ? CC_REDISPLAY : is_changed ? CC_REFRESH : CC_REFRESH_BEEP;
}

sectile_editor *sectile_editor_create(sectile_completer completer, void *context)
{
    // Names and values are UTF-8, whatever the locale is called.
    if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
    sectile_editor *editor = calloc(1, sizeof *editor);
    if (!editor) return NULL;
    editor->completer = completer;
    editor->context = context;
    editor->prompt = "";
    editor->line = el_init("sectile", stdin, stdout, stderr);
    editor->history = history_init();
    if (!editor->line || !editor->history) {
        sectile_editor_destroy(editor);
        return NULL;
    }
    HistEvent event;
    history(editor->history, &event, H_SETSIZE, HISTORY_SIZE);
    history(editor->history, &event, H_SETUNIQUE, 1);
    el_set(editor->line, EL_CLIENTDATA, editor);
    el_set(editor->line, EL_SIGNAL, 0);
    el_set(editor->line, EL_EDITOR, "emacs");
    el_set(editor->line, EL_PROMPT, prompt_of);
    el_set(editor->line, EL_HIST, history, editor->history);
    el_set(editor->line, EL_GETCFN, read_key);
    el_set(editor->line, EL_ADDFN, "sectile-complete", "Completes names", complete);
    el_set(editor->line, EL_BIND, "^I", "sectile-complete", NULL);
    el_set(editor->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
    // The person's own keys have the last word.
    el_source(editor->line, NULL);
    return editor;
}

void sectile_editor_destroy(sectile_editor *editor)
{
    if (!editor) return;
    if (editor->line) el_end(editor->line);
    if (editor->history) history_end(editor->history);
    free(editor);
}

void sectile_editor_remember(sectile_editor *editor, const char *entry)
{
    HistEvent event;
    history(editor->history, &event, H_ENTER, entry);
}

enum sectile_reading sectile_editor_read(
    sectile_editor *editor, const char *prompt, const char **line)
{
    sigset_t mask;
    sigemptyset(&mask);
    struct sigaction action, before[PROMPT_SIGNAL_COUNT];
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    sigemptyset(&action.sa_mask);
    interrupted = resized = continued = ended = 0;
    promptThread = pthread_self();
    for (size_t i = 0; i < PROMPT_SIGNAL_COUNT; i++) sigaddset(&mask, promptSignals[i]);
    pthread_sigmask(SIG_BLOCK, &mask, &editor->maskOutside);
    for (size_t i = 0; i < PROMPT_SIGNAL_COUNT; i++) {
        sigaction(promptSignals[i], &action, &before[i]);
        sigdelset(&editor->maskOutside, promptSignals[i]);
    }

    // It may have been resized while a statement ran.
    el_resize(editor->line);
    editor->prompt = prompt;
    int count = 0;
    *line = el_gets(editor->line, &count);
    if (interrupted) el_reset(editor->line);

    for (size_t i = 0; i < PROMPT_SIGNAL_COUNT; i++) sigaction(promptSignals[i], &before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &editor->maskOutside, NULL);
    if (ended) raise(ended);
    if (interrupted) return SECTILE_READING_INTERRUPTED;
    return *line && count > 0 ? SECTILE_READING_LINE : SECTILE_READING_END;
}

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
