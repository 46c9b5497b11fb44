import { escapeHtml } from '@florin/contract/html.ts';
import { type Page, renderPolicy } from '../../http/pages/page.ts';
import type { Chapter } from '../../jsonapi/openapi/chapter.ts';
import type { OpenApiDocument } from '../../jsonapi/openapi/schema.ts';
import type { States } from './docs-states.ts';
import { findableAttributes, renderTable, type TableRow } from './docs-table.ts';
import { renderBlock, renderCode, renderProse } from './docs-text.ts';
import { renderType } from './docs-type.ts';

/** Status and title of each error code. */
export type Errors = Readonly<Record<string, { readonly status: number; readonly title: string }>>;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': renderPolicy({
    'default-src': "'none'",
    'style-src': "'self'",
    'script-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

/**
 * Renders the OpenAPI document as a page. The page works without its script; the script adds the
 * search.
 */
export function renderDocsPage(
  document: OpenApiDocument,
  chapters: readonly Chapter[],
  errors: Errors,
): Page {
  const types = document.tags.map((tag) => ({
    name: String(tag.name),
    summary: String(tag.description),
    group: String(tag['x-group']),
    states: tag['x-states'] as States | undefined,
  }));
  const sections = types.map((type) => renderType(document, type));
  return {
    status: 200,
    headers: HEADERS,
    html: renderDocument(`${renderNavigation(chapters, types)}
<main class="docs">
<h1>The interface</h1>
<p>Everything that can be asked for, made from the same definitions as the program itself. As a document for programs: <a href="/v2/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${chapters.map(renderChapter).join('\n')}
${sections.join('\n')}
${renderErrors(errors)}
</main>`),
  };
}

const renderDocument = (body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Florin: the interface</title>
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js" defer></script>
</head>
<body class="reference">
<header class="top"><a class="name" href="/">Florin</a><span class="tag">Reference</span></header>
${body}
</body>
</html>
`;

function renderNavigation(
  chapters: readonly Chapter[],
  types: readonly { readonly name: string; readonly group: string }[],
): string {
  const renderLink = (id: string, text: string): string => `<li><a href="#${id}">${text}</a></li>`;
  const groups = Map.groupBy(types, ({ group }) => group);
  const lists = [...groups].map(
    ([group, groupTypes]) =>
      `<h2>${escapeHtml(group)}</h2><ul>${groupTypes.map(({ name }) => renderLink(name, escapeHtml(name))).join('')}</ul>`,
  );
  return `<nav aria-label="Contents">
<search class="search" hidden><label>Find a type, field, code or chapter <input type="search" id="search" autocomplete="off"></label>
<p id="found" class="soft small" role="status"></p>
<ul id="results"></ul></search>
<details open><summary>Contents</summary>
<h2>How it works</h2>
<ul>${chapters.map(({ id, title }) => renderLink(id, escapeHtml(title))).join('')}${renderLink('error-codes', 'Error codes')}</ul>
${lists.join('\n')}
</details>
</nav>`;
}

const renderChapter = ({ id, title, paragraphs, table: cells, code: sample }: Chapter): string =>
  `<section class="chapter"${findableAttributes(id)}>
<h2>${escapeHtml(title)}</h2>
${paragraphs.map((text) => `<p>${renderProse(text)}</p>`).join('\n')}
${
  cells
    ? renderTable(
        cells.heads,
        cells.rows.map((texts) => chapterRow(id, texts)),
      )
    : ''
}
${sample ? renderBlock(sample) : ''}
</section>`;

/** Renders a table row. The first cell names the subject. */
const chapterRow = (chapter: string, texts: readonly string[]): TableRow => ({
  id: `${chapter}.${texts[0]?.replaceAll('`', '')}`,
  cells: texts.map(renderProse),
});

function renderErrors(errors: Errors): string {
  const rows = Object.entries(errors)
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(
      ([name, { status, title }]): TableRow => ({
        id: `error.${name}`,
        cells: [renderCode(name), String(status), escapeHtml(title)],
      }),
    );
  return `<section class="chapter"${findableAttributes('error-codes')}><h2>Error codes</h2>${renderTable(['Code', 'Status', 'Title'], rows)}</section>`;
}
