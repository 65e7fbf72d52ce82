/* CSV quotes off, XML escapes on. */
#include "cli/chart_text.h"

#include <stdbool.h>

void sb_text_unquote(char *text, size_t size, const char *field)
{
    size_t used = 0;
    bool quoted = field[0] == '"';
    for (const char *c = field + quoted; *c && used + 1 < size; ++c) {
        if (quoted && *c == '"' && *++c != '"')
            break;
        text[used++] = *c;
    }
    text[used] = '\0';
}

/* Bytes of the UTF-8 letter at `text`, 0 if it is none that XML may hold. */
static int letter_bytes(const unsigned char *text)
{
    if (text[0] < 0x80)
        return text[0] >= ' ' && text[0] != 0x7f;
    int bytes = text[0] >= 0xc2 && text[0] < 0xe0 ? 2 : (text[0] & 0xf0) == 0xe0 ? 3 : 0;
    bytes = text[0] >= 0xf0 && text[0] < 0xf5 ? 4 : bytes;
    for (int i = 1; i < bytes; ++i)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool outside = (text[0] == 0xed && text[1] >= 0xa0) || (text[0] == 0xf4 && text[1] >= 0x90) ||
                   (text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe);
    return overlong || outside ? 0 : bytes;
}

void sb_text_escape(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int bytes = letter_bytes(c);
        if (*c == '<' || *c == '>' || *c == '&')
            fputs(*c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&amp;", out);
        else if (bytes)
            fwrite(c, 1, (size_t)bytes, out);
        else
            fputc('?', out);
        c += bytes ? bytes : 1;
    }
}

void sb_text_write(FILE *out, double x, double y, const char *style, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    sb_text_escape(out, text);
    fputs("</text>\n", out);
}
