import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bareEnv } from '@florin/dev-env/config/env.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'src', 'bin', 'restored.ts');

/** Runs commands of `florin restore` at a database. Each resolves with all that the command printed. */
export const restoreCommandAt =
  (databaseUrl: () => string, others: Readonly<Record<string, string>> = {}) =>
  async (...words: string[]): Promise<string> => {
    const env = bareEnv({ DATABASE_URL: databaseUrl(), ...others });
    const child = spawn(process.execPath, [PROGRAM, ...words], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    await once(child, 'close');
    return output;
  };
