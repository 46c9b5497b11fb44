import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import type { Brand } from './brand.ts';
import { inkOn } from './ink.ts';
import type { EmailContent, Line } from './parts.ts';

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"';

/** Styles for mail programs with style sheet support. Essential styles are inline. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#111418!important}.card{background:#1c2127!important}
.ink{color:#f1f3f5!important}.soft{color:#a9b1bb!important}.rule{border-color:#353c45!important}.button{border-color:#a9b1bb!important}
}`;

/**
 * Renders an email as HTML: tables, inline styles, light and dark, and `logo_url` as the only remote content.
 * Escapes all texts of merchants and customers.
 */
export function asHtml(content: EmailContent): string {
  const { locale, brand, subject, title, paragraphs, lines, button, notes } = content;
  const direction = directionOf(locale);
  const rows = [
    renderHeading(brand),
    renderCell(
      `<h1 class="ink" style="margin:0;font-size:22px;line-height:1.3;color:#16191d">${escapeHtml(title)}</h1>`,
    ),
    ...paragraphs.map((text) =>
      renderCell(renderParagraph(text, 'ink', 'font-size:16px;color:#16191d')),
    ),
    ...(lines.length > 0 ? [renderCell(renderTable(lines, direction))] : []),
    ...(button ? [renderCell(buttonHtml(button, brand))] : []),
    renderCell(
      notes.map((text) => renderParagraph(text, 'soft', 'font-size:14px;color:#59626d')).join(''),
    ),
    renderFooter(brand),
  ];
  return `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f4f6;${FONT}">
<table ${TABLE} class="page" dir="${direction}" style="background:#f2f4f6"><tr><td align="center" style="padding:24px 12px">
<table ${TABLE} class="card" style="max-width:560px;background:#ffffff;border-radius:8px;${FONT};text-align:${sidesOf(direction)[0]}">
${rows.join('\n')}
</table>
</td></tr></table>
</body>
</html>
`;
}

const renderCell = (html: string): string =>
  `<tr><td style="padding:16px 28px 0">${html}</td></tr>`;

const renderParagraph = (text: string, name: string, style: string): string =>
  `<p class="${name}" style="margin:0;line-height:1.5;${style}">${escapeHtml(text)}</p>`;

function renderHeading({ name, color, logo_url, logo_cid }: Brand): string {
  const source = logo_url ?? (logo_cid && `cid:${logo_cid}`);
  const logoHtml = source
    ? `<img src="${escapeHtml(source)}" alt="${escapeHtml(name)}" height="40" style="display:block;height:40px;max-width:100%;border:0">`
    : `<span class="ink" style="font-size:18px;font-weight:600;color:#16191d">${escapeHtml(name)}</span>`;
  return `<tr><td style="height:6px;line-height:6px;font-size:0;background:${color};border-radius:8px 8px 0 0">&nbsp;</td></tr>
<tr><td style="padding:24px 28px 4px">${logoHtml}</td></tr>`;
}

/** Sides for the start and end of lines, because some mail programs do not support logical directions. */
const sidesOf = (direction: 'rtl' | 'ltr'): readonly ['left' | 'right', 'left' | 'right'] =>
  direction === 'ltr' ? ['left', 'right'] : ['right', 'left'];

const renderTable = (lines: readonly Line[], direction: 'rtl' | 'ltr'): string =>
  `<table ${TABLE} style="font-size:15px;line-height:1.4">${lines.map((line) => renderRow(line, direction)).join('')}</table>`;

function renderRow({ label, value, strong }: Line, direction: 'rtl' | 'ltr'): string {
  const [start, end] = sidesOf(direction);
  const rule = 'border-top:1px solid #e3e7eb;padding:9px 0;vertical-align:top';
  const weight = strong ? ';font-weight:700' : '';
  return `<tr><td class="soft rule" align="${start}" style="${rule};padding-${end}:16px;color:#59626d${weight}">${escapeHtml(label)}</td><td class="ink rule" align="${end}" style="${rule};color:#16191d;word-break:break-word${weight}"><bdi>${escapeHtml(value)}</bdi></td></tr>`;
}

const buttonHtml = ({ label, url }: { label: string; url: string }, { color }: Brand): string =>
  `<a href="${escapeHtml(url)}" class="button" style="display:inline-block;margin-top:4px;border:1px solid ${color};padding:12px 22px;border-radius:6px;background:${color};color:${inkOn(color)};font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a>`;

function renderFooter({ name, website }: Brand): string {
  const nameHtml = website
    ? `<a href="${escapeHtml(website)}" class="soft" style="color:#59626d">${escapeHtml(name)}</a>`
    : escapeHtml(name);
  return `<tr><td class="soft" style="padding:16px 28px 28px;font-size:13px;color:#59626d">${nameHtml}</td></tr>`;
}
