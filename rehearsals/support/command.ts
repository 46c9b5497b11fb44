import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';

export const FLORIN_MAIN = join(
  import.meta.dirname,
  '..',
  '..',
  'packages',
  'cli',
  'src',
  'main.ts',
);
const OUTPUT_BYTES_MAX = 16 * 2 ** 20;

/** How a command ended, and what it printed. */
export interface CommandEnd {
  readonly code: number;
  readonly text: string;
}

/** Runs `florin …` with variables. Resolves also if the command fails. */
export async function tryFlorin(
  variables: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<CommandEnd & { readonly stdout: string }> {
  const options = { env: { ...inheritedEnv(), ...variables }, maxBuffer: OUTPUT_BYTES_MAX };
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [FLORIN_MAIN, ...words],
      options,
    );
    return { code: 0, stdout, text: stdout + stderr };
  } catch (error) {
    const {
      code = 1,
      stdout = '',
      stderr = '',
    } = error as Partial<Record<'stdout' | 'stderr', string>> & { code?: number };
    return { code: Number(code) || 1, stdout, text: stdout + stderr };
  }
}

/** Runs `florin …` for a data directory. Returns its standard output; rejects with its errors if it fails. */
export async function runFlorin(dataDir: string, ...words: string[]): Promise<string> {
  const { code, stdout, text } = await tryFlorin({ FLORIN_DATA: dataDir }, ...words);
  if (code === 0) return stdout;
  throw new Error(`florin ${words.join(' ')} failed: ${text}`);
}
