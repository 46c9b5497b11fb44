import { errorHelp } from '@florin/contract/error-help/catalogue.ts';
import type { ExampleRequest } from '@florin/contract/error-help/error-help.ts';
import { type ErrorCode, errorPagePath, errorTable, problem } from '@florin/contract/errors.ts';
import { adviceOf, codesByStatus, statusNames } from '@florin/server/jsonapi/openapi/statuses.ts';
import { renderProblems } from '@florin/server/jsonapi/problems.ts';
import type { Page } from '../site/pages.ts';
import { markdownTable } from '../site/table.ts';
import { code as codeSpan, prose } from './schema-text.ts';

/** Id of the error in every example. */
const EXAMPLE_ID = '3f6c1f0a-8f4e-4c55-9a39-0d1f6a1c9b52';

/** Headers of a usual request. A body adds its media type. */
const usualHeaders = {
  authorization: 'Bearer ept_sandbox_s…',
  'user-agent': 'acme-shop/1.0',
} as const;

/** The page of each error code, in the order of the statuses. `origin`: address of the API in examples. */
export const errorPages = (origin: string): readonly Page[] =>
  sortedStatuses()
    .flatMap(([status, codes]) => codes.map((code) => errorPage(code, status, origin)))
    .map((page, index) => ({ ...page, order: index + 1 }));

/** A section for each HTTP status, with links to the pages of its codes. */
export const errorTables = (): string =>
  sortedStatuses()
    .map(([status, codes]) => {
      const rows = codes.map((code) => [
        `[${codeSpan(code)}](/${errorPagePath(code)})`,
        errorHelp[code].title,
      ]);
      const table = markdownTable(['Code', 'Meaning'], rows);
      return [`### ${statusText(status)}`, adviceOf(status), table].join('\n\n');
    })
    .join('\n\n');

const sortedStatuses = (): readonly [number, readonly ErrorCode[]][] =>
  [...codesByStatus()].toSorted(([one], [other]) => one - other);

const errorPage = (code: ErrorCode, status: number, origin: string) => ({
  path: errorPagePath(code),
  title: code,
  subgroup: statusText(status),
  markdown: markdownOf(code, status, origin),
});

/** Number and name of an HTTP status: `404 Not Found`. */
const statusText = (status: number): string => `${status} ${statusNames[status] ?? ''}`;

function markdownOf(code: ErrorCode, status: number, origin: string): string {
  const { title, cause, fix, example } = errorHelp[code];
  return [
    `# ${title}`,
    [
      `- Code: ${codeSpan(code)}`,
      `- HTTP status: ${statusText(status)}`,
      `- Title: ${errorTable[code].title}`,
    ].join('\n'),
    '## Cause',
    cause,
    '## Fix',
    fix,
    '## Example',
    ...(example.request ? ['The request:', fenced('http', requestText(example.request))] : []),
    'The response, with its `detail`:',
    `> ${prose(example.detail)}`,
    fenced('json', responseText(code, origin)),
    '[All error codes](/errors/)',
  ].join('\n\n');
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** An HTTP request as it is sent. Headers that are null are left out. */
function requestText({ method, path, headers = {}, body }: ExampleRequest): string {
  const mediaType = body === undefined ? {} : { 'content-type': 'application/vnd.api+json' };
  const lines = Object.entries({ ...usualHeaders, ...mediaType, ...headers })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${headerName(name)}: ${value}`);
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return [`${method} ${path} HTTP/1.1`, ...lines, ...(text ? ['', text] : [])].join('\n');
}

const headerName = (name: string): string =>
  name.replaceAll(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());

/** The error document, serialised by the server's own code. */
function responseText(code: ErrorCode, origin: string): string {
  const { detail, source, meta } = errorHelp[code].example;
  const error = problem(code, detail, source, meta && { meta: { ...meta } });
  const { body } = renderProblems(error, origin, () => EXAMPLE_ID);
  return JSON.stringify(JSON.parse(body.toString()), null, 2);
}
