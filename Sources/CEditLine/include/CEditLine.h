// What Swift cannot call of libedit, whose interface is variadic; and the signals of a prompt.
//
// libedit knows the keys, and edits. What is shown is drawn by the editor's owner, since libedit
// draws neither colours nor prompts for more than one line: its own output goes nowhere.

#ifndef SECTILE_CEDITLINE_H
#define SECTILE_CEDITLINE_H

#include <stddef.h>

typedef struct sectile_editor sectile_editor;

// What TAB does. Both texts are allocated with malloc and may be NULL.
struct sectile_completion {
    int deleted;   // how many characters before the cursor go away
    char *inserted; // what takes their place
    char *listed;  // what is shown below the text
};

enum sectile_drawing {
    SECTILE_DRAWING_TEXT,    // the text, or its cursor, has changed
    SECTILE_DRAWING_LISTING, // something to choose from, to be shown below the text
    SECTILE_DRAWING_RESIZED, // the terminal has another size
    SECTILE_DRAWING_CLEARED, // the screen is to be empty but for the text
    SECTILE_DRAWING_RETURNED // somebody else wrote to the terminal
};

// What an editor asks its owner. The texts are UTF-8.
struct sectile_editor_owner {
    void *context;
    void (*complete)(
        void *context, const char *beforeCursor, struct sectile_completion *completion);
    // Whether Enter ends the text; otherwise it is a new line in it.
    int (*isWhole)(void *context, const char *text);
    // Returns the entry before (-1) or after (1) the text in the history, allocated with malloc, or
    // NULL where there is none.
    char *(*recall)(void *context, int direction, const char *text);
    // `cursor` counts bytes. For a listing the text is the listing.
    void (*draw)(void *context, enum sectile_drawing what, const char *text, size_t cursor);
};

enum sectile_reading {
    SECTILE_READING_TEXT,
    SECTILE_READING_END,
    SECTILE_READING_INTERRUPTED
};

// Returns NULL where the terminal cannot be used.
sectile_editor *sectile_editor_create(const struct sectile_editor_owner *owner);
void sectile_editor_destroy(sectile_editor *editor);

// Takes the keys of vi, or those of Emacs again.
void sectile_editor_use_vi(sectile_editor *editor, int isVi);

// Reads a text that begins as `start`, or empty where that is NULL; `text` is valid until the next call.
enum sectile_reading sectile_editor_read(
    sectile_editor *editor, const char *start, const char **text);
// Adds an entry to what Ctrl-R searches.
void sectile_editor_remember(sectile_editor *editor, const char *entry);

// From now on Ctrl-C ends no process: it wakes `sectile_interrupt_wait`.
void sectile_interrupt_catch(void);
// Waits for Ctrl-C. To be called on one thread of its own.
void sectile_interrupt_wait(void);
// The other way round: Ctrl-C ends the process again.
void sectile_interrupt_release(void);

#endif
