import { errorTable } from '@florin/contract/errors.ts';
import type { Models } from '../model.ts';
import { describeInterface } from './document.ts';
import { eventTypes } from './event-types.ts';
import { adviceOf, codesByStatus, statusNames } from './statuses.ts';

/** Server URL in the committed document: Florin's default address. */
const DEFAULT_ORIGIN = 'http://localhost:4000';

/** Generated files of the repository, by path. */
export const generatedFiles = (models: Models): Readonly<Record<string, string>> => ({
  'docs/openapi.json': `${formatJson(describeInterface(models, DEFAULT_ORIGIN))}\n`,
  'docs/errors.md': errorsPage(),
  'packages/webhooks/src/events.ts': eventTypes(models),
});

/** Depth to which the JSON has one line per member: down to the parts of an operation. */
const LINED_LEVELS = 4;

/** JSON with line breaks on the upper levels only, for short files with readable diffs. */
function formatJson(value: unknown, levels = LINED_LEVELS): string {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${formatJson(member, levels - 1)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}

function errorsPage(): string {
  const sections = [...codesByStatus()]
    .toSorted(([one], [other]) => one - other)
    .map(([status, codes]) => {
      const rows = codes.map((code) => `| \`${code}\` | ${errorTable[code].title} |`);
      const head = `## ${status} ${statusNames[status] ?? ''}`.trimEnd();
      return [head, '', adviceOf(status), '', '| code | title |', '|---|---|', ...rows].join('\n');
    });
  return `${INTRODUCTION}\n\n${sections.join('\n\n')}\n`;
}

const INTRODUCTION = `# Errors

Made by \`npm run openapi\` from \`packages/contract/src/errors.ts\`; do not edit.

An error document has \`errors\`, each with \`id\`, \`status\`, \`code\`, \`title\`, \`detail\` and, where one part of the request is to blame, \`source\` with \`pointer\`,
\`parameter\` or \`header\`. Programs decide by \`code\`, which never changes its meaning; \`title\` is the same for every error of a code, \`detail\` says what happened this
time. Problems of different statuses in one request come together, and the answer is then 400. \`detail\` may repeat a name that was sent, and never a value.`;
