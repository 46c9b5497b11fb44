import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const OUTPUT_BYTES_MAX = 16 * 2 ** 20;

/** Runs `florin …` for a data directory. Returns its standard output; rejects with its errors if it fails. */
export async function runFlorin(dataDir: string, ...words: string[]): Promise<string> {
  const env = { ...inheritedEnv(), FLORIN_DATA: dataDir };
  const options = { env, maxBuffer: OUTPUT_BYTES_MAX };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words], options);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`florin ${words.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
  }
}
