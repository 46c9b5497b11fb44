import type { Actor } from '../audit/audit.ts';
import type { CvvEpochs } from '../keys/cvv-epochs.ts';
import { MODES, type SealingKeys } from '../keys/sealing-keys.ts';
import type { ReportProgress } from './progress.ts';
import type { RewrapDeps } from './rewrap-cards.ts';
import type { DueVersion } from './rewrap-keys.ts';
import { type KekSelection, rotateDueKeks, rotateKeks } from './rotate-kek.ts';
import { type RootRotationDeps, rotateDueRoot, rotateRoot } from './rotate-root.ts';
import { rotateSealingKeys, type SealRequest } from './rotate-seal.ts';

export interface RotatorDeps
  extends RewrapDeps,
    Omit<RootRotationDeps, 'signal' | 'announcedLeftovers' | 'neededRoots'> {
  readonly sealingKeys: SealingKeys;
  readonly cvvEpochs: CvvEpochs;
}

/** Rotations of all keys. Each continues an interrupted one; none decrypts a card. */
export interface Rotator {
  rotateSeal(request: SealRequest, actor: Actor, report: ReportProgress): Promise<void>;
  rotateKeks(selection: KekSelection, actor: Actor, report: ReportProgress): Promise<void>;
  rotateRoot(actor: Actor, report: ReportProgress): Promise<void>;
  rotateEpochs(actor: Actor, report: ReportProgress): Promise<void>;
  /** Runs every rotation that is due or was interrupted. */
  runDue(): Promise<void>;
  /** Number of root key versions past their grace period that a key still needs. */
  countNeededRoots(): number;
  /** Stops rewrapping after the current batch. */
  stop(): void;
}

export function createRotator(rotatorDeps: RotatorDeps): Rotator {
  const stopController = new AbortController();
  const neededRoots: DueVersion[] = [];
  const leftovers = { announcedLeftovers: new Set<number>(), neededRoots };
  const ownDeps = { signal: stopController.signal, ...leftovers };
  const deps = { ...rotatorDeps, ...ownDeps };
  return {
    rotateSeal: (request, actor, report) => rotateSeal(deps, request, actor, report),
    rotateKeks: (selection, actor, report) => rotateKeks(deps, selection, actor, report),
    rotateRoot: (actor, report) => rotateRoot(deps, actor, report),
    async rotateEpochs(actor, report) {
      for (const mode of MODES) await deps.cvvEpochs.advance(mode);
      await deps.audit.record({ actor, verb: 'rotate_epoch', outcome: 'opened' });
      report('A new epoch started in both modes.');
    },
    async runDue() {
      await rotateSeal(deps, 'when due', 'schedule', () => {});
      await rotateDueKeks(deps);
      await rotateDueRoot(deps);
    },
    countNeededRoots: () => neededRoots.length,
    stop: () => stopController.abort(),
  };
}

async function rotateSeal(
  deps: RotatorDeps,
  request: SealRequest,
  actor: Actor,
  report: ReportProgress,
): Promise<void> {
  const steps = await rotateSealingKeys(deps, request);
  if (steps.some(({ action }) => action !== 'published')) deps.sealingKeys.clear();
  for (const { mode, action, kid } of steps) {
    await deps.audit.record({ actor, verb: 'rotate_seal', mode, outcome: `${action} ${kid}` });
    report(`The ${mode} sealing key ${kid} is ${action}.`);
  }
  if (steps.length === 0) report(ALREADY_PUBLISHED);
}

export const ALREADY_PUBLISHED = 'The next sealing keys are already published.';
