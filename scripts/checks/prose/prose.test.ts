import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalogueFindings } from './catalogues.ts';
import { findExcesses, lowerExceptions } from './exceptions.ts';
import { lineOfFinding } from './finding.ts';
import { replacedWordsIn } from './glossary.ts';
import { markdownFindings } from './markdown.ts';
import { messageFindings, messagesIn } from './messages.ts';
import { orphanFindings } from './orphans.ts';
import { referenceFindings } from './reference.ts';
import { navigationFindings } from './site.ts';

const root = mkdtempSync(join(tmpdir(), 'prose-'));
afterAll(() => rmSync(root, { recursive: true }));

const GLOSSARY = '| now | use |\n|---|---|\n| **parcel**, room, **under way** | claimed delivery |';
const replaced = replacedWordsIn(GLOSSARY);
const words = (count: number) => `Locks ${'it '.repeat(count - 1).trim()}`;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Lines of the findings in one file, `line rule: advice`. */
async function markdown(text: string, file = 'page.md'): Promise<string[]> {
  write(file, text.endsWith('\n') ? text : `${text}\n`);
  const findings = await markdownFindings(root, [file], replaced);
  return findings.map(lineOfFinding).map((line) => line.slice(file.length + 1));
}

it('the bold words of the glossary are replaced by its second column', () => {
  expect(replaced).toEqual([
    { word: 'parcel', use: 'claimed delivery' },
    { word: 'under way', use: 'claimed delivery' },
  ]);
});

describe('a Markdown file', () => {
  it('may not have a sentence of more than 25 words, in text, lists and cells', async () => {
    expect(await markdown(`${words(25)}.\n\n- ${words(25)}.\n  ${words(25)}.`)).toEqual([]);
    const advice = /26 words, 25 at most: write two sentences, or a list\. "Locks it it/;
    expect(await markdown(`Rows.\n${words(12)}\n${words(14)}.`)).toEqual([
      expect.stringMatching(/^2 sentence-length: /),
    ]);
    expect(await markdown(`- ${words(26)}.`)).toEqual([expect.stringMatching(advice)]);
    expect(await markdown(`| a |\n|---|\n| ${words(26)} |`)).toEqual([
      expect.stringMatching(/^3 sentence-length/),
    ]);
  });

  it('may not begin a sentence of a paragraph without its subject', async () => {
    expect(await markdown('Locks rows.\nIt waits.')).toEqual([
      '2 sentence-opening: begins with "It": write the thing\'s name. "It waits."',
    ]);
    expect(await markdown('# What you need\n\n| a |\n|---|\n| It waits. |')).toEqual([]);
  });

  it('may not use a replaced word, except in code and in columns of bad examples', async () => {
    expect(await markdown('Sends a Parcel\nthat is under\nway.')).toEqual([
      '1 glossary: "parcel": write claimed delivery',
      '1 glossary: "under way": write claimed delivery',
    ]);
    expect(await markdown('Do not write "parcel".')).toEqual([]);
    expect(await markdown('Sends `parcel`.\n\n```text\nparcel\n```')).toEqual([]);
    expect(await markdown('| now | use |\n|---|---|\n| parcel | delivery |')).toEqual([]);
    expect(await markdown('| use |\n|---|\n| parcel |')).toHaveLength(1);
  });

  it('has lines of at most 120 characters, apart from tables and code', async () => {
    const line = `${'word '.repeat(24)}w`;
    expect(await markdown(line.slice(0, 120).trim())).toEqual([]);
    expect(await markdown(`${line}.`)).toEqual([
      expect.stringMatching(/^1 line-length: .*break the line at 120 characters$/),
    ]);
    expect(await markdown(`| ${line} |\n|---|\n\n\`\`\`text\n${line}.\n\`\`\``)).toEqual([]);
  });

  it('links to files and headings that exist', async () => {
    write('docs/other.md', '# Other page\n\n## Don’t `wait`\n\n## Named {#other-id}\n');
    const good = [
      'docs',
      'docs/other.md#other-page',
      'docs/other.md#other-id',
      'https://a.example',
    ];
    expect(await markdown(good.map((link) => `- [a](${link})`).join('\n'))).toEqual([]);
    expect(await markdown('# Here\n\n[a](#here)\n[b](#there)\n[c](docs/none.md)')).toEqual([
      '4 dead-link: page.md has no heading #there: link one that it has',
      '5 dead-link: docs/none.md does not exist: link a file that does',
    ]);
    expect(await markdown('[a](docs/other.md#nothing)')).toHaveLength(1);
    write('docs/pages/guides/refunds.md', '---\norder: 1\n---\n\n# Refunds\n');
    expect(
      await markdown('[a](/guides/refunds#refunds) [b](/guides/refunds#fees)', 'docs/pages/b.md'),
    ).toEqual([expect.stringMatching(/refunds\.md has no heading #fees/)]);
  });

  it('names source files that exist', async () => {
    write('packages/server/src/features/fee.ts', '');
    expect(await markdown('Read `features/fee.ts` and `fee.ts`, not `secret.key`.')).toEqual([]);
    expect(await markdown('Read `payments/fee.ts`.')).toEqual([
      '1 dead-path: no file is named payments/fee.ts: write its present path',
    ]);
  });

  it('has no more lines than its kind allows', async () => {
    const long = 'Line.\n\n'.repeat(80);
    expect(await markdown(long, 'docs/long.md')).not.toContainEqual(
      expect.stringContaining('document-length'),
    );
    expect(await markdown(long, 'README.md')).toContainEqual(
      expect.stringMatching(/^151 document-length: \d+ lines, 150 at most/),
    );
  });

  it('has the format of a decision record in docs/adr', async () => {
    const parts = ['Context', 'Decision', 'Consequences', 'Alternatives', 'Enforced by'];
    const record = `# 7. Rows are text\n${parts.map((part) => `\n## ${part}\n\nText.\n`).join('')}`;
    expect(await markdown(record, 'docs/adr/0007-rows.md')).toEqual([]);
    expect(await markdown(record.replace('## Context', 'Text.'), 'docs/adr/0007-rows.md')).toEqual([
      expect.stringMatching(/^1 decision-format: write these headings, in this order: ## Context/),
    ]);
    expect(await markdown(record, 'docs/adr/0008-rows.md')).toHaveLength(1);
  });
});

it('a catalogue is checked message by message', () => {
  write(
    'en.json',
    `{\n  "a": "It is \\"ready\\".",\n  "b": "A parcel",\n  "c": "${words(26)}"\n}\n`,
  );
  expect(catalogueFindings(root, 'en.json', replaced).map(lineOfFinding)).toEqual([
    'en.json:3 glossary: "parcel": write claimed delivery',
    expect.stringMatching(/^en\.json:4 sentence-length/),
  ]);
});

it('each description of the interface is checked once, in the OpenAPI document', async () => {
  const lines = [
    '"description": "A parcel."',
    '"summary": "It waits."',
    '"description": "A parcel."',
  ];
  write('docs/openapi.json', `{\n${lines.join(',\n')}\n}\n`);
  expect((await referenceFindings(root, replaced)).map(lineOfFinding)).toEqual([
    'docs/openapi.json:2 glossary: "parcel": write claimed delivery',
    expect.stringMatching(/^docs\/openapi\.json:3 sentence-opening/),
  ]);
});

it('a document needs a link from another one', () => {
  write('README.md', '[a](docs/linked.md#part) [b](packages/one)\n');
  write('docs/linked.md', '[itself](linked.md)\n');
  write('docs/alone.md', '[itself](alone.md)\n');
  write('packages/one/README.md', 'One.\n');
  const files = ['README.md', 'docs/linked.md', 'docs/alone.md', 'packages/one/README.md'];
  expect(orphanFindings(root, files).map(({ file }) => file)).toEqual(['docs/alone.md']);
});

it('a page of the site needs a group of the navigation', () => {
  write('docs/pages/elsewhere/page.md', '---\norder: 1\n---\n\n# Page\n');
  rmSync(join(root, 'docs/pages/b.md'), { force: true });
  expect(navigationFindings(root)).toEqual([
    expect.objectContaining({ rule: 'navigation', advice: expect.stringContaining('elsewhere') }),
  ]);
  rmSync(join(root, 'docs/pages/elsewhere'), { recursive: true });
  expect(navigationFindings(root)).toEqual([]);
});

describe('the exceptions', () => {
  const finding = { line: 1, rule: 'glossary', advice: 'write it' };
  const findings = ['a.md', 'a.md', 'b.md'].map((file) => ({ ...finding, file }));

  it('allow a number of findings per file', () => {
    expect(findExcesses(findings, { 'a.md': 2, 'b.md': 1 })).toEqual([]);
    expect(findExcesses(findings, { 'a.md': 1 })).toEqual([
      'a.md: 2 findings, 1 allowed. List them: npm run prose -- a.md',
      'b.md:1 glossary: write it',
    ]);
  });

  it('only become fewer', () => {
    const lowered = lowerExceptions(findings, { 'a.md': 1, 'b.md': 5, 'c.md': 3 });
    expect(lowered).toEqual({ 'a.md': 1, 'b.md': 1 });
  });
});

describe('messages of the code', () => {
  const FILE = 'packages/server/src/features/refunds/decide.ts';
  const rulesOf = (source: string) => {
    write(FILE, source);
    return messageFindings(root, FILE, replaced).map(({ line, rule }) => `${line} ${rule}`);
  };

  it('are strings and templates that are sentences', () => {
    const source = [
      "f('parcel', 'a parcel', 'A parcel', ",
      '`A parcel of $',
      '{name}.`, "The parcel\'s lid.");',
    ].join('');
    expect(messagesIn('a.ts', source).map(({ text }) => text)).toEqual([
      'A parcel of §.',
      "The parcel's lid.",
    ]);
  });

  it('are the details of errors, even if they are no sentences', () => {
    const source =
      "problem('invalid', y === 'z' ? 'bad' : 'worse'); ({ code: 'no', detail: 'worst' });";
    expect(messagesIn('a.ts', source).map(({ text }) => text)).toEqual(['bad', 'worse', 'worst']);
  });

  it('follow the rules of words and sentences', () => {
    expect(rulesOf("f();\ng('It has a parcel.');")).toEqual(['2 sentence-opening', '2 glossary']);
    expect(rulesOf("f('The payment is failed. Send another card.');")).toEqual([]);
  });

  it('have at most two sentences where they are details of errors', () => {
    expect(rulesOf("f('The card is bad. Send another. Or none.');")).toEqual(['1 detail-length']);
  });

  it('name the attribute and end with a full stop where they are details of errors', () => {
    expect(rulesOf("f('This must be a string.');")).toEqual(['1 detail-subject']);
    expect(rulesOf("f('This payment accepts no cards.');")).toEqual([]);
    expect(rulesOf("problem('blank', 'amount_cents is blank');")).toEqual(['1 detail-stop']);
  });
});
