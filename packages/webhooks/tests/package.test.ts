import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BODY, EVENT_ID, SECRET } from './deliveries.ts';

const PACKAGE = join(import.meta.dirname, '..');
const COMPILER = join(PACKAGE, '../../node_modules/typescript/bin/tsc');

/** Creates a folder with only the published package and a program. */
function createFolder(file: string, program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-receiver-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const packageFolder = join(folder, 'node_modules', '@florin', 'webhooks');
  mkdirSync(packageFolder, { recursive: true });
  for (const entry of ['package.json', 'dist']) {
    cpSync(join(PACKAGE, entry), join(packageFolder, entry), { recursive: true });
  }
  writeFileSync(join(folder, file), program);
  return folder;
}

const run = (cwd: string, ...args: string[]): string => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return stdout + stderr;
};

describe('the package by itself', () => {
  it.each([
    ['Node, also where Web Crypto is no global', '@florin/webhooks', 'delete globalThis.crypto;'],
    ['other runtimes', './node_modules/@florin/webhooks/dist/webhooks.mjs', ''],
  ])('runs in %s', (_, specifier, preamble) => {
    const program = `${preamble}
const { sign, verify } = await import('${specifier}');
const headers = await sign(process.argv[2], process.argv[3], { id: '${EVENT_ID}' });
console.log((await verify(process.argv[2], new Headers(headers), process.argv[3])).code);`;
    const folder = createFolder('receiver.mjs', program);
    expect(run(folder, 'receiver.mjs', BODY, SECRET)).toBe(
      'transaction.payment_demands.succeeded\n',
    );
  });

  it('has types that need no others, and narrow events by their codes', () => {
    const program = `import { verify, WebhookError, type WebhookEvent } from '@florin/webhooks';
const event: WebhookEvent = await verify('', { 'webhook-id': ['a', 'b'] }, ['one', 'two'], { now: new Date(0) });
if (event.code === 'transaction.payment_demands.failed') {
  const reason: string | null = event.attributes.data.attributes.failure_reason;
  // @ts-expect-error payments have no nickname
  event.attributes.data.attributes.nickname;
  void reason;
}
// @ts-expect-error nothing is called so that happens
if (event.code === 'transaction.payment_demands.paid') throw new WebhookError('mismatch', '');
// @ts-expect-error a body that was parsed
await verify({ data: {} }, {}, 'one');
`;
    const folder = createFolder('receiver.mts', program);
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022'];
    const modules = ['--module', 'nodenext', '--types', '', '--ignoreConfig'];
    expect(run(folder, COMPILER, ...options, ...modules, 'receiver.mts')).toBe('');
  });
});
