import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnv } from '@florin/dev-env/config/env.ts';
import { onTestFinished } from 'vitest';

export const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name);

/** A directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'florin-cli-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Runs a Node program until it ends, with `input` on its standard input. */
export async function runToEnd(args: string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, args, { env: bareEnv(env) });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code: code as number | null, output };
}
