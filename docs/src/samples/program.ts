import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLES } from '../site/directives.ts';
import type { Language } from './languages.ts';
import type { SampleRequest } from './request.ts';
import type { Step } from './steps.ts';

/** How the samples of a page become a program that a test can run. */
interface Runtime {
  /** Command before the path of the program. */
  readonly command: readonly string[];
  wrap(client: string, statements: readonly string[]): string;
}

/** Imports of the Go program; pages show the functions alone. */
const GO_IMPORTS = ['bytes', 'encoding/json', 'fmt', 'io', 'net/http', 'os'];

const joinLines = (client: string, statements: readonly string[]): string =>
  [client, ...statements, ''].join('\n');

/** Runtimes by extension. */
const runtimes: Readonly<Record<string, Runtime>> = {
  sh: {
    command: ['bash'],
    wrap: (client, statements) =>
      joinLines(`set -euo pipefail\n${client.replaceAll(/^export .*$/gm, '')}`, statements),
  },
  ts: { command: [process.execPath], wrap: joinLines },
  py: { command: ['python3'], wrap: joinLines },
  php: {
    command: ['php'],
    wrap: (client, statements) => joinLines(`<?php\n${client}`, statements),
  },
  rb: { command: ['ruby'], wrap: joinLines },
  go: { command: ['go', 'run'], wrap: wrapGo },
};

function wrapGo(client: string, statements: readonly string[]): string {
  const imports = GO_IMPORTS.map((name) => `\t"${name}"`).join('\n');
  const uses = statements.flatMap((text) => {
    const [, variable] = /^(\w+) := /.exec(text) ?? [];
    return variable ? [text, `_ = ${variable}`] : [text];
  });
  return `package main\n\nimport (\n${imports}\n)\n\n${client}\nfunc main() {\n${uses.join('\n')}\n}\n`;
}

const DRAIN_REQUEST: SampleRequest = {
  method: 'GET',
  path: '/sandbox/drain?timeout=30',
  body: undefined,
  capture: undefined,
  errorCode: undefined,
};

export const runtimeOf = ({ extension }: Language): Runtime => runtimes[extension] as Runtime;

/** The samples of a page in a language, as one program. Refused requests would end it, so they are left out. */
export function programOf(language: Language, steps: readonly Step[]): string {
  const client = readFileSync(join(SAMPLES, `client.${language.extension}`), 'utf8');
  const statements = steps.flatMap((step) => {
    if (step.kind === 'drain') return [language.render(DRAIN_REQUEST)];
    return step.kind === 'request' && !step.request.errorCode
      ? [language.render(step.request)]
      : [];
  });
  return runtimeOf(language).wrap(client, statements);
}
