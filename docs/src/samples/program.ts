import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLES } from '../site/directives.ts';
import type { Language } from './languages.ts';
import type { SampleRequest } from './request.ts';
import type { Step } from './steps.ts';

/** How the samples of pages become a program that a test can run. */
interface Runtime {
  /** Command before the path of the program. */
  readonly command: readonly string[];
  /** Adds the client to the statements. Each list of statements is a page, whose names do not concern the others. */
  wrap(client: string, pages: readonly (readonly string[])[]): string;
}

/** Imports of the Go program; pages show the functions alone. */
const GO_IMPORTS = ['bytes', 'encoding/json', 'fmt', 'io', 'net/http', 'os'];

const joinLines = (client: string, pages: readonly (readonly string[])[]): string =>
  [client, ...pages.flat(), ''].join('\n');

const inBlocks = (pages: readonly (readonly string[])[]): readonly string[][] =>
  pages.map((statements) => ['{', ...statements, '}']);

/** Runtimes by extension. */
const runtimes: Readonly<Record<string, Runtime>> = {
  sh: {
    command: ['bash'],
    wrap: (client, pages) =>
      joinLines(`set -euo pipefail\n${client.replaceAll(/^export .*$/gm, '')}`, pages),
  },
  ts: {
    command: [process.execPath],
    wrap: (client, pages) => joinLines(client, inBlocks(pages)),
  },
  py: { command: ['python3'], wrap: joinLines },
  php: { command: ['php'], wrap: (client, pages) => joinLines(`<?php\n${client}`, pages) },
  rb: { command: ['ruby'], wrap: joinLines },
  go: { command: ['go', 'run'], wrap: wrapGo },
};

function wrapGo(client: string, pages: readonly (readonly string[])[]): string {
  const imports = GO_IMPORTS.map((name) => `\t"${name}"`).join('\n');
  const blocks = inBlocks(pages.map((statements) => statements.flatMap(withUse)));
  return `package main\n\nimport (\n${imports}\n)\n\n${client}\nfunc main() {\n${blocks.flat().join('\n')}\n}\n`;
}

/** Uses the variable of a statement, since Go refuses variables that nothing uses. */
function withUse(statement: string): readonly string[] {
  const [, variable] = /^(\w+) := /.exec(statement) ?? [];
  return variable ? [statement, `_ = ${variable}`] : [statement];
}

const DRAIN_REQUEST: SampleRequest = {
  method: 'GET',
  path: '/sandbox/drain?timeout=30',
  body: undefined,
  capture: undefined,
  errorCode: undefined,
};

export const runtimeOf = ({ extension }: Language): Runtime => runtimes[extension] as Runtime;

/** The requests of a page's samples. Refused requests would end a program, so they are left out. */
export function requestsOf(steps: readonly Step[]): readonly SampleRequest[] {
  return steps.flatMap((step) => {
    if (step.kind === 'drain') return [DRAIN_REQUEST];
    return step.kind === 'request' && !step.request.errorCode ? [step.request] : [];
  });
}

/** The samples of pages in a language, as one program. */
export function programOf(
  language: Language,
  pages: readonly (readonly SampleRequest[])[],
): string {
  const client = readFileSync(join(SAMPLES, `client.${language.extension}`), 'utf8');
  const statements = pages.map((requests) => requests.map((request) => language.render(request)));
  return runtimeOf(language).wrap(client, statements);
}
