#define _GNU_SOURCE

#include "Editor.h"

#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define HISTORY_SIZE 2000
// A terminal that is told so puts marks around what is pasted.
#define PASTES_ARE_MARKED "\033[?2004h"
#define PASTES_ARE_NOT_MARKED "\033[?2004l"

sectile_editor *sectile_editor_of(EditLine *line)
{
    sectile_editor *editor = NULL;
    el_get(line, EL_CLIENTDATA, &editor);
    return editor;
}

char *sectile_editor_text(EditLine *line, size_t *cursor)
{
    const LineInfo *info = el_line(line);
    if (cursor) *cursor = (size_t)(info->cursor - info->buffer);
    return strndup(info->buffer, (size_t)(info->lastchar - info->buffer));
}

void sectile_editor_draw(sectile_editor *editor, enum sectile_drawing what)
{
    size_t cursor = 0;
    char *text = sectile_editor_text(editor->line, &cursor);
    if (text) editor->owner.draw(editor->owner.context, what, text, cursor);
    free(text);
}

static void send(const char *sequence)
{
    size_t length = strlen(sequence);
    while (length > 0) {
        ssize_t count = write(STDOUT_FILENO, sequence, length);
        if (count < 0 && errno == EINTR) continue;
        // A terminal that is gone is noticed when it is read.
        if (count <= 0) return;
        sequence += count;
        length -= (size_t)count;
    }
}

// MARK: - Signals while a text is read
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

static void answer_signals(sectile_editor *editor)
{
    if (continued) {
        // The shell that stopped this process has changed the terminal's settings.
        continued = 0;
        el_set(editor->line, EL_PREP_TERM, 0);
        el_set(editor->line, EL_PREP_TERM, 1);
        send(PASTES_ARE_MARKED);
        sectile_editor_draw(editor, SECTILE_DRAWING_RETURNED);
    }
    if (resized) {
        resized = 0;
        el_resize(editor->line);
        sectile_editor_draw(editor, SECTILE_DRAWING_RESIZED);
    }
}

int sectile_editor_is_ended(void) { return interrupted || ended; }

ssize_t sectile_editor_read_byte(sectile_editor *editor, char *byte)
{
    for (;;) {
        answer_signals(editor);
        if (interrupted || ended) {
            errno = EINTR;
            return -1;
        }
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (ppoll(&input, 1, NULL, &editor->maskOutside) < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        ssize_t count = read(STDIN_FILENO, byte, 1);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        return count;
    }
}

static int is_waiting(void)
{
    struct pollfd ahead = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&ahead, 1, 0) > 0;
}

static int read_key(EditLine *line, wchar_t *key)
{
    sectile_editor *editor = sectile_editor_of(line);
    mbstate_t state;
    memset(&state, 0, sizeof state);
    int is_typed_ahead = editor->isFirstKey && is_waiting();
    editor->isFirstKey = 0;
    // What is typed faster than it can be drawn is drawn once.
    if (!is_waiting()) sectile_editor_draw(editor, SECTILE_DRAWING_TEXT);
    for (;;) {
        char byte;
        ssize_t count = sectile_editor_read_byte(editor, &byte);
        if (count <= 0) return (int)count;
        // Ctrl-D that was pressed while a statement ran: the terminal kept it as a mark.
        if (byte == 0 && is_typed_ahead) byte = 'D' & 0x1F;
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

static char *no_prompt(EditLine *line) { (void)line; return (char *)""; }

static void bind_keys(sectile_editor *editor)
{
    static const char *const keys[][2] = {
        {"^I", "sectile-complete"}, {"^J", "sectile-enter"}, {"^M", "sectile-enter"},
        {"\\e[200~", "sectile-paste"}, {"\\e[A", "sectile-up"}, {"\\eOA", "sectile-up"},
        {"\\e[B", "sectile-down"}, {"\\eOB", "sectile-down"}, {"^P", "sectile-up"},
        {"^N", "sectile-down"}, {"\\e[H", "sectile-start"}, {"\\eOH", "sectile-start"},
        {"\\e[1~", "sectile-start"}, {"\\e[F", "sectile-end"}, {"\\eOF", "sectile-end"},
        {"\\e[4~", "sectile-end"}, {"\\036d", "ed-delete-next-char"}, {"^L", "sectile-clear"}, {"\\036b", "sectile-begin"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        el_set(editor->line, EL_BIND, keys[i][0], keys[i][1], NULL);
        // The second map is that of vi's commands.
        el_set(editor->line, EL_BIND, "-a", keys[i][0], keys[i][1], NULL);
    }
    const char *name = NULL;
    el_get(editor->line, EL_EDITOR, &name);
    if (name && strcmp(name, "vi") == 0) {
        el_set(editor->line, EL_BIND, "-a", "k", "sectile-up", NULL);
        el_set(editor->line, EL_BIND, "-a", "j", "sectile-down", NULL);
        el_set(editor->line, EL_BIND, "^[", "sectile-escape", NULL);
        el_set(editor->line, EL_BIND, "-a", "^[", "sectile-escape-command", NULL);
        el_set(editor->line, EL_BIND, "\\036c", "vi-command-mode", NULL);
    } else {
        el_set(editor->line, EL_BIND, "\\e^M", "sectile-newline", NULL);
        el_set(editor->line, EL_BIND, "^A", "sectile-start", NULL);
        el_set(editor->line, EL_BIND, "^E", "sectile-end", NULL);
    }
    el_set(editor->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

sectile_editor *sectile_editor_create(const struct sectile_editor_owner *owner)
{
    // Names and values are UTF-8, whatever the locale is called.
    if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
    sectile_editor *editor = calloc(1, sizeof *editor);
    if (!editor) return NULL;
    editor->owner = *owner;
    editor->nowhere = fopen("/dev/null", "we");
    editor->history = history_init();
    if (editor->nowhere) {
        // What it draws goes nowhere, but it must know that there is a terminal.
        editor->line = el_init_fd(
            "sectile", stdin, editor->nowhere, stderr, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO);
    }
    if (!editor->line || !editor->history) {
        sectile_editor_destroy(editor);
        return NULL;
    }
    HistEvent event;
    history(editor->history, &event, H_SETSIZE, HISTORY_SIZE);
    history(editor->history, &event, H_SETUNIQUE, 1);
    EditLine *line = editor->line;
    el_set(line, EL_CLIENTDATA, editor);
    el_set(line, EL_SIGNAL, 0);
    el_set(line, EL_PROMPT, no_prompt);
    el_set(line, EL_HIST, history, editor->history);
    el_set(line, EL_GETCFN, read_key);
    el_set(line, EL_ADDFN, "sectile-complete", "Completes names", sectile_key_complete);
    el_set(line, EL_ADDFN, "sectile-enter", "Ends the text, or the line", sectile_key_enter);
    el_set(line, EL_ADDFN, "sectile-newline", "Ends the line", sectile_key_new_line);
    el_set(line, EL_ADDFN, "sectile-paste", "Takes in what is pasted", sectile_key_paste);
    el_set(line, EL_ADDFN, "sectile-up", "Moves to the line or the entry before", sectile_key_move_up);
    el_set(line, EL_ADDFN, "sectile-down", "Moves to the line or the entry after", sectile_key_move_down);
    el_set(line, EL_ADDFN, "sectile-start", "Moves to the start of the line", sectile_key_move_to_start);
    el_set(line, EL_ADDFN, "sectile-end", "Moves to the end of the line", sectile_key_move_to_end);
    el_set(line, EL_ADDFN, "sectile-escape", "Leaves the insertion of text", sectile_key_escape);
    el_set(
        line, EL_ADDFN, "sectile-escape-command", "Leaves a command", sectile_key_escape_command);
    el_set(line, EL_ADDFN, "sectile-clear", "Clears the screen", sectile_key_clear_screen);
    el_set(line, EL_ADDFN, "sectile-begin", "Puts a text there to begin with", sectile_key_begin);
    sectile_editor_use_vi(editor, 0);
    // The person's own keys have the last word, but for another editor's.
    el_source(line, NULL);
    const char *name = NULL;
    el_get(line, EL_EDITOR, &name);
    if (name && strcmp(name, "vi") == 0) bind_keys(editor);
    return editor;
}

void sectile_editor_use_vi(sectile_editor *editor, int isVi)
{
    el_set(editor->line, EL_EDITOR, isVi ? "vi" : "emacs");
    bind_keys(editor);
}

void sectile_editor_destroy(sectile_editor *editor)
{
    if (!editor) return;
    if (editor->line) el_end(editor->line);
    if (editor->history) history_end(editor->history);
    if (editor->nowhere) fclose(editor->nowhere);
    free(editor->text);
    free(editor);
}

void sectile_editor_remember(sectile_editor *editor, const char *entry)
{
    HistEvent event;
    history(editor->history, &event, H_ENTER, entry);
}

enum sectile_reading sectile_editor_read(
    sectile_editor *editor, const char *start, const char **text)
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
    editor->isFirstKey = 1;
    editor->start = start;
    if (start) el_push(editor->line, BEGIN_KEY);
    send(PASTES_ARE_MARKED);
    sectile_editor_draw(editor, SECTILE_DRAWING_RETURNED);
    int count = 0;
    const char *typed = el_gets(editor->line, &count);
    // What was typed before may stand behind it.
    free(editor->text);
    editor->text = typed && count > 0 ? strndup(typed, (size_t)count) : NULL;
    *text = editor->text;
    send(PASTES_ARE_NOT_MARKED);
    editor->start = NULL;
    if (interrupted) el_reset(editor->line);

    for (size_t i = 0; i < PROMPT_SIGNAL_COUNT; i++) sigaction(promptSignals[i], &before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &editor->maskOutside, NULL);
    if (ended) raise(ended);
    if (interrupted) return SECTILE_READING_INTERRUPTED;
    return *text ? SECTILE_READING_TEXT : SECTILE_READING_END;
}
