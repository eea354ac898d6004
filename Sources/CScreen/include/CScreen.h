// A terminal's whole screen, by way of ncurses: what of it Swift cannot call because it is macros,
// or variadic. Everything is called on one thread.

#ifndef SECTILE_CSCREEN_H
#define SECTILE_CSCREEN_H

// How text is shown: one colour, and any of the others.
enum sectile_style {
    SECTILE_STYLE_RED = 1,
    SECTILE_STYLE_GREEN = 2,
    SECTILE_STYLE_YELLOW = 3,
    SECTILE_STYLE_BLUE = 4,
    SECTILE_STYLE_COLOUR_MASK = 7,
    SECTILE_STYLE_BOLD = 8,
    SECTILE_STYLE_DIM = 16,
    SECTILE_STYLE_REVERSE = 32,
    SECTILE_STYLE_UNDERLINE = 64
};

// Keys that are no characters, and two that terminals send in several ways; all others are what was
// typed.
enum sectile_key {
    SECTILE_KEY_NONE = -1,
    SECTILE_KEY_ENTER = 0x0D,
    SECTILE_KEY_BACKSPACE = 0x7F,
    SECTILE_KEY_UP = 0x200000,
    SECTILE_KEY_DOWN,
    SECTILE_KEY_LEFT,
    SECTILE_KEY_RIGHT,
    SECTILE_KEY_PAGE_UP,
    SECTILE_KEY_PAGE_DOWN,
    SECTILE_KEY_HOME,
    SECTILE_KEY_END,
    SECTILE_KEY_RESIZE,
    SECTILE_KEY_OTHER
};

// Why a terminal cannot be taken over.
enum sectile_screen_problem {
    SECTILE_SCREEN_UNKNOWN = -1, // its kind is not known
    SECTILE_SCREEN_FIXED = -2 // it cannot move its cursor
};

// Takes the terminal over; returns 0, or the problem with it.
int sectile_screen_open(int hasColours);

// Gives the terminal back as it was. May be called twice.
void sectile_screen_close(void);

// Tells how large the terminal is now, and takes note of it.
void sectile_screen_size(int *columns, int *lines);

// Begins an empty picture; nothing is shown before `sectile_screen_show`.
void sectile_screen_clear(void);

// Writes text that does not go past the end of the line.
void sectile_screen_put(int line, int column, int style, const char *text);

// Shows the picture: only what is different is sent to the terminal.
void sectile_screen_show(void);

// Waits for a key, for something to read from a descriptor, or for the time to pass. What can be read
// is read and dropped.
void sectile_screen_wait(int descriptor, int milliseconds);

// Returns the next key that was pressed, without waiting.
int sectile_screen_key(void);

#endif
