import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SampleRequest } from '../../src/samples/request.ts';
import type { Step } from '../../src/samples/steps.ts';
import { differencesOf } from './contains.ts';

export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

interface Document {
  readonly data?: { readonly id: string };
  readonly errors?: readonly { readonly code: string; readonly detail: string }[];
}

/** Runs the samples of a page in this process, and compares the responses that the page shows. */
export async function runSteps(target: Target, steps: readonly Step[]): Promise<void> {
  const ids = new Map<string, string>();
  let document: Document | undefined;
  for (const step of steps) {
    if (step.kind === 'drain')
      await send(target, { method: 'GET', path: '/sandbox/drain?timeout=30' });
    else if (step.kind === 'shell') await runShell(target, step.commands, ids);
    else if (step.kind === 'request')
      document = await runRequest(target, step.request, ids, step.line);
    else compare(step, document, ids);
  }
}

async function runRequest(
  target: Target,
  request: SampleRequest,
  ids: Map<string, string>,
  line: number,
): Promise<Document | undefined> {
  const { capture, errorCode } = request;
  const document = await send(target, fillIds(request, ids));
  const [error] = document?.errors ?? [];
  if (error?.code !== errorCode) {
    const problem = error ? `${error.code}: ${error.detail}` : 'succeeded';
    throw new Error(`Line ${line}: ${request.method} ${request.path}: ${problem}`);
  }
  if (capture) ids.set(capture, document?.data?.id ?? '');
  return document;
}

function compare(
  { expected, line }: Step & { kind: 'response' },
  document: Document | undefined,
  ids: ReadonlyMap<string, string>,
): void {
  const differences = differencesOf(fillIds(expected, ids), document);
  if (differences.length > 0) throw new Error(`Line ${line}: ${differences.join('; ')}`);
}

const fillIds = <T>(value: T, ids: ReadonlyMap<string, string>): T =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const id = ids.get(name);
      if (!id) throw new Error(`No sample before this one captures "${name}".`);
      return id;
    }),
  );

async function send(
  { baseUrl, key }: Target,
  { method, path, body }: Pick<SampleRequest, 'method' | 'path'> & Partial<SampleRequest>,
): Promise<Document | undefined> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'user-agent': 'docs-samples/1',
      'content-type': 'application/vnd.api+json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** Runs commands of a page. Captured ids are variables in capitals. */
async function runShell(
  { baseUrl, key }: Target,
  commands: string,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const variables = [...ids].map(([name, id]) => [name.toUpperCase(), id] as const);
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    env: { ...process.env, BASE: baseUrl, KEY: key, ...Object.fromEntries(variables) },
  });
}
