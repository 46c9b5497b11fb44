import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from './whole-file.ts';

const OUTPUT = 'browser-sdk/dist/types';
/** Entry of the SDK's types for other programs. */
export const TYPES_ENTRY = `${OUTPUT}/main.d.ts`;

const PROTOCOL = 'contract/src/protocol/frame.ts';
/** Declarations that the entry needs, by their path in the compiler's output. */
const DECLARATIONS: readonly (readonly [from: string, to: string])[] = [
  ['sdk/main.d.ts', 'main.d.ts'],
  ['sdk/client.d.ts', 'client.d.ts'],
  ['sdk/events.d.ts', 'events.d.ts'],
  ['sdk/options.d.ts', 'options.d.ts'],
  ['protocol/frame.d.ts', 'frame.d.ts'],
];

/** Writes self-contained declarations of the SDK. On failure throws the compiler's output. */
export function buildTypes(root: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'florin-types-'));
  const packages = join(root, 'packages');
  try {
    const sdk = join(packages, 'browser-sdk');
    compile(root, '-p', sdk, '--rootDir', join(sdk, 'src'), '--outDir', join(directory, 'sdk'));
    const protocol = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2024', '--strict'];
    compile(root, join(packages, PROTOCOL), ...protocol, '--outDir', join(directory, 'protocol'));
    for (const [from, to] of DECLARATIONS) {
      const text = readFileSync(join(directory, from), 'utf8');
      const selfContained = text.replaceAll(
        `@florin/${PROTOCOL.replace('src/', '')}`,
        './frame.ts',
      );
      writeWhole(join(packages, OUTPUT, to), selfContained);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs the compiler. On failure throws its output. */
export function compile(root: string, ...args: readonly string[]): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const emitOptions = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...args, ...emitOptions]);
  if (status !== 0) throw new Error(`Types could not be made.\n${stdout}`);
}
