import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const CHART = join(import.meta.dirname, '..', '..', 'deploy', 'helm', 'florin');

/** Values with which the chart is rendered: what an operator must set, and every switch. */
export const CASES = ['default', 'full'] as const;
export type Case = (typeof CASES)[number];

export const valuesPath = (name: Case): string =>
  join(import.meta.dirname, 'values', `${name}.yaml`);
export const renderedPath = (name: Case): string =>
  join(import.meta.dirname, 'rendered', `${name}.yaml`);

/** Digest of everything that decides what a case renders. */
export function digestOf(name: Case): string {
  const templates = readdirSync(join(CHART, 'templates')).sort();
  const paths = ['Chart.yaml', 'values.yaml', ...templates.map((it) => join('templates', it))];
  const hash = createHash('sha256');
  for (const path of [...paths.map((it) => join(CHART, it)), valuesPath(name)])
    hash.update(readFileSync(path));
  return hash.digest('hex');
}

/** First line of a rendered file. */
export const headOf = (name: Case): string =>
  `# Made by "npm run rehearse -- chart --record yes", from ${digestOf(name)}\n`;

/** An object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** Kubernetes reads YAML 1.1, where a number with a leading zero is octal. */
export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as Manifest);
