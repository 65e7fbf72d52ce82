/* Words from a file, on their way into a chart. */
#ifndef SB_CLI_CHART_TEXT_H
#define SB_CLI_CHART_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* A field of a CSV file without its quotes, at most size - 1 bytes of it. */
void sb_text_unquote(char *text, size_t size, const char *field);

/* As XML; what is not UTF-8 or not printable becomes '?'. */
void sb_text_escape(FILE *out, const char *text);

/* The same as a text element of an SVG file. style: its attributes. */
void sb_text_write(FILE *out, double x, double y, const char *style, const char *text);

#endif
