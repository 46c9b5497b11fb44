import { spawnSync } from 'node:child_process';
import { transformSync } from 'esbuild';
import type { Fence } from '../site/fences.ts';

/** Kinds of blocks that are run, or that are no code. */
const RUN_OR_TEXT = new Set(['api', 'response', 'text', 'mermaid', 'diff']);

/** A block that no test runs names the reason: ```` ```sh check="needs a domain" ````. */
const REASON = /^check="([^"]+)"$/;

/** Why a block is only checked for syntax. Undefined for blocks that are run. Throws an error without a reason. */
export function reasonOf({ kind, flags, line }: Fence): string | undefined {
  if (RUN_OR_TEXT.has(kind) || (kind === 'sh' && flags === 'run')) return undefined;
  const [, reason] = REASON.exec(flags) ?? [];
  if (!reason) {
    throw new Error(`Line ${line}: a block "${kind}" must be run, or say why not: check="reason".`);
  }
  return reason;
}

/** Checks the syntax of a block that is not run. Throws the error of its parser. */
export function checkSyntax({ kind, content }: Fence): void {
  if (kind === 'json') JSON.parse(content);
  if (kind === 'ts' || kind === 'js' || kind === 'tsx') transformSync(content, { loader: kind });
  if (kind === 'sh') checkShell(content);
}

function checkShell(content: string): void {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: content, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
