import { badRequest } from '../kernel/errors.ts';
import type { PreviewDeps } from '../rotation/preview/deps.ts';
import { previewDue } from '../rotation/preview/due.ts';
import { previewKeks } from '../rotation/preview/keks.ts';
import { previewRoot } from '../rotation/preview/root.ts';
import { previewSeal } from '../rotation/preview/seal.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import type { SealRequest } from '../rotation/rotate-seal.ts';
import type { Rotator } from '../rotation/rotator.ts';
import { ACTOR, type Announce } from './command.ts';
import { type Input, toId, toMode, toText } from './input.ts';

const WORD_CHARS_MAX = 32;
const KEY_KINDS: ReadonlySet<string> = new Set(['seal', 'kek', 'root', 'epoch', 'due']);

function parse(input: Input) {
  const keyKind = toText(input.key, 'key', WORD_CHARS_MAX);
  if (!KEY_KINDS.has(keyKind)) throw badRequest('key must be seal, kek, root, epoch or due.');
  const sealRequest: SealRequest = input.at_once === true ? 'at once' : 'requested';
  return { keyKind, sealRequest, selection: selectionOf(input) };
}

function selectionOf({ merchant_id, mode }: Input) {
  return {
    ...(merchant_id !== undefined && { merchant_id: toId(merchant_id, 'merchant_id') }),
    ...(mode !== undefined && { mode: toMode(mode, 'mode') }),
  };
}

/** Rotates keys of a kind, or all that are due. */
export async function rotate(
  rotator: Rotator,
  input: Input,
  report: ReportProgress,
  announce: Announce,
): Promise<void> {
  const { keyKind, sealRequest, selection } = parse(input);
  await announce({ verb: `rotate_${keyKind}`, ...(keyKind === 'kek' && selection) });
  switch (keyKind) {
    case 'seal':
      return rotator.rotateSeal(sealRequest, ACTOR, report);
    case 'kek':
      return rotator.rotateKeks(selection, ACTOR, report);
    case 'root':
      return rotator.rotateRoot(ACTOR, report);
    case 'epoch':
      return rotator.rotateEpochs(ACTOR, report);
    default:
      await rotator.runDue();
      return report('All rotations that were due are done. The audit log lists them.');
  }
}

/** Reports what `rotate` would replace, and what it would wait for. */
export function previewRotate(
  deps: PreviewDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const { keyKind, sealRequest, selection } = parse(input);
  switch (keyKind) {
    case 'seal':
      return previewSeal(deps, sealRequest, report);
    case 'kek':
      return previewKeks(deps, selection, report);
    case 'root':
      return previewRoot(deps, report);
    case 'epoch':
      report('Would start a new epoch of verification values in both modes.');
      return Promise.resolve();
    default:
      return previewDue(deps, report);
  }
}
