import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../../..');
const COPIED_PATHS = [
  'docs',
  'package.json',
  'packages',
  'scripts',
  'tsconfig.base.json',
  'vitest.config.ts',
];
const OWN_SCOPE = '@florin';
const OUTPUT_BYTES_MAX = 50_000_000;
/** Characters of a failed program's output that the error shows. */
const SHOWN_MAX = 8_000;

/** A copy of this checkout that a test may change. */
export interface Checkout extends Disposable {
  readonly path: string;
  /** Runs a program of it and returns its output. Rejects if it fails. */
  run(program: string, ...args: string[]): Promise<string>;
}

/** Copies the sources. Dependencies are shared with this checkout, except for the packages themselves. */
export function copyCheckout(): Checkout {
  const path = mkdtempSync(join(tmpdir(), 'florin-checkout-'));
  for (const name of COPIED_PATHS) cpSync(join(ROOT, name), join(path, name), { recursive: true });
  linkDependencies(path);
  return {
    path,
    run: (program, ...args) => runProgram(path, program, args),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

async function runProgram(cwd: string, program: string, args: readonly string[]): Promise<string> {
  try {
    const options = { cwd, maxBuffer: OUTPUT_BYTES_MAX };
    return (await promisify(execFile)(process.execPath, [join(cwd, program), ...args], options))
      .stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} failed: ${stdout.slice(-SHOWN_MAX)}${stderr.slice(-SHOWN_MAX)}`);
  }
}

function linkDependencies(path: string): void {
  const modules = join(path, 'node_modules');
  mkdirSync(join(modules, OWN_SCOPE), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== OWN_SCOPE) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(path, 'packages'))) {
    symlinkSync(join(path, 'packages', name), join(modules, OWN_SCOPE, name));
  }
}
