import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../../..');
const COPIED = ['package.json', 'packages', 'scripts'];
const OWN_SCOPE = '@florin';

/** A copy of this checkout that a test may change. */
export interface Checkout extends Disposable {
  readonly path: string;
  /** Runs a program of it and returns its output. Rejects if it fails. */
  run(program: string, ...args: string[]): Promise<string>;
}

/** Copies the sources. Dependencies are shared with this checkout, except for the packages themselves. */
export function copyCheckout(): Checkout {
  const path = mkdtempSync(join(tmpdir(), 'florin-checkout-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(path, name), { recursive: true });
  linkDependencies(path);
  return {
    path,
    run: async (program, ...args) =>
      (await promisify(execFile)(process.execPath, [join(path, program), ...args])).stdout,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
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
