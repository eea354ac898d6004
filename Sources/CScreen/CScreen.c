#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "CScreen.h"
#include "CScreenCheck.h"

static SCREEN *screen;

int sectile_screen_open(int hasColours)
{
    int problem = sectile_screen_check();
    if (problem != 0)
        return problem;
    // Without a locale of UTF-8 every byte would be a character of its own.
    setlocale(LC_ALL, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
    screen = newterm(NULL, stdout, stdin);
    if (screen == NULL)
        return SECTILE_SCREEN_UNKNOWN;
    set_term(screen);
    set_escdelay(25);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, TRUE);
    curs_set(0);
    if (hasColours && has_colors()) {
        start_color();
        use_default_colors();
        init_pair(SECTILE_STYLE_RED, COLOR_RED, -1);
        init_pair(SECTILE_STYLE_GREEN, COLOR_GREEN, -1);
        init_pair(SECTILE_STYLE_YELLOW, COLOR_YELLOW, -1);
        init_pair(SECTILE_STYLE_BLUE, COLOR_BLUE, -1);
    }
    return 0;
}

void sectile_screen_close(void)
{
    if (screen == NULL)
        return;
    endwin();
    delscreen(screen);
    screen = NULL;
}

void sectile_screen_size(int *columns, int *lines)
{
    struct winsize size;
    // The signal that tells of a new size may go to another thread.
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0
        && (size.ws_row != LINES || size.ws_col != COLS))
        resizeterm(size.ws_row, size.ws_col);
    *columns = COLS;
    *lines = LINES;
}

void sectile_screen_clear(void)
{
    erase();
}

void sectile_screen_put(int line, int column, int style, const char *text)
{
    attr_t attributes = 0;
    if (style & SECTILE_STYLE_BOLD)
        attributes |= A_BOLD;
    if (style & SECTILE_STYLE_DIM)
        attributes |= A_DIM;
    if (style & SECTILE_STYLE_REVERSE)
        attributes |= A_REVERSE;
    if (style & SECTILE_STYLE_UNDERLINE)
        attributes |= A_UNDERLINE;
    attr_set(attributes, (short)(style & SECTILE_STYLE_COLOUR_MASK), NULL);
    mvaddstr(line, column, text);
    attr_set(A_NORMAL, 0, NULL);
}

void sectile_screen_show(void)
{
    refresh();
}

void sectile_screen_wait(int descriptor, int milliseconds)
{
    struct pollfd sources[2] = {
        {.fd = STDIN_FILENO, .events = POLLIN},
        {.fd = descriptor, .events = POLLIN},
    };
    char dropped[256];
    if (poll(sources, 2, milliseconds) > 0 && (sources[1].revents & POLLIN))
        (void)!read(descriptor, dropped, sizeof dropped);
}

int sectile_screen_key(void)
{
    wint_t key;
    switch (get_wch(&key)) {
    case ERR:
        return SECTILE_KEY_NONE;
    case OK:
        return (int)key;
    }
    switch (key) {
    case KEY_UP:
        return SECTILE_KEY_UP;
    case KEY_DOWN:
        return SECTILE_KEY_DOWN;
    case KEY_LEFT:
        return SECTILE_KEY_LEFT;
    case KEY_RIGHT:
        return SECTILE_KEY_RIGHT;
    case KEY_PPAGE:
        return SECTILE_KEY_PAGE_UP;
    case KEY_NPAGE:
        return SECTILE_KEY_PAGE_DOWN;
    case KEY_HOME:
        return SECTILE_KEY_HOME;
    case KEY_END:
        return SECTILE_KEY_END;
    case KEY_ENTER:
        return SECTILE_KEY_ENTER;
    case KEY_BACKSPACE:
        return SECTILE_KEY_BACKSPACE;
    case KEY_RESIZE:
        return SECTILE_KEY_RESIZE;
    }
    return SECTILE_KEY_OTHER;
}
