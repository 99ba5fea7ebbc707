/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The page's style sheet: colours of both schemes, narrow, wide and print. */
#ifndef HTML_STYLE_H
#define HTML_STYLE_H

const char *html_style(void);

#endif /* HTML_STYLE_H */
