import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor, Audit } from '../audit/audit.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { type KeyWatch, needsOperator } from '../keys/key-watch.ts';
import type { Kms } from '../keys/kms/kms.ts';
import {
  findStagedVersion,
  isRootDue,
  type RootVersion,
  type StagedVersion,
} from '../keys/root-versions.ts';
import {
  ABSENT_MS,
  describeVaults,
  findHolderNames,
  type KnownVault,
  type VaultsWithoutKey,
} from '../keys/vaults.ts';
import type { Db } from '../store/db.ts';
import { type DestroyDueDeps, destroyDueRoots } from './destroy-root.ts';
import type { ReportProgress } from './progress.ts';
import { isRewrapUnfinished, type RewrapKeysDeps, rewrapKeys } from './rewrap-keys.ts';

export interface RootRotationDeps extends RewrapKeysDeps, DestroyDueDeps {
  readonly audit: Audit;
  readonly keyWatch: KeyWatch;
}

const ABSENT_DAYS = ABSENT_MS / (24 * 60 * 60_000);
/** Number of checks by which a command waits for vaults that can read the new key themselves. */
const ACTIVATE_ATTEMPTS_MAX = 50;
const ACTIVATE_POLL_MS = 200;

/**
 * Creates the next root key version. Once every vault holds it, rewraps all keys. While vaults lack it,
 * throws `bad_request` with their names, and the schedule activates the version later.
 */
export async function rotateRoot(
  deps: RootRotationDeps,
  actor: Actor,
  report: ReportProgress,
): Promise<void> {
  const stagedVersion = await stage(deps, actor);
  const { waits_for, skipped } = await activate(deps, stagedVersion, actor, ACTIVATE_ATTEMPTS_MAX);
  if (waits_for.length > 0) {
    throw new VaultRefusal('bad_request', await describeWait(deps, stagedVersion, waits_for));
  }
  const { version } = stagedVersion;
  report(
    `New keys are now wrapped with version ${version} of the root key: ${deps.kms.nameOf(version)}.`,
  );
  if (skipped.length > 0) {
    report(`The rotation did not wait for ${describeSkipped(skipped)}`);
  }
  await rewrapAndReport(deps, actor, report);
}

/** The end of a sentence about vaults that a rotation does not wait for. */
export const describeSkipped = (skipped: readonly KnownVault[]): string =>
  `vaults that were silent for ${ABSENT_DAYS} days: ${describeVaults(skipped).join(', ')}. Copy the key to any that starts again: until then it serves no cards.`;

/**
 * Rotates the root key if it is due and needs no operator. Also activates a staged version, finishes
 * interrupted rotations, and destroys replaced versions after their grace period.
 */
export async function rotateDueRoot(deps: RootRotationDeps): Promise<void> {
  await activateStagedOrDue(deps);
  if (await isRewrapUnfinished(deps.db, await deps.rootKeys.current()))
    await rewrapAndReport(deps, 'schedule', () => {});
  await destroyDueRoots(deps);
}

async function activateStagedOrDue(deps: RootRotationDeps): Promise<void> {
  const stagedVersion = (await findStagedVersion(deps.db)) ?? (await stageDue(deps));
  if (stagedVersion) await activate(deps, stagedVersion, 'schedule', 1);
}

async function stageDue(deps: RootRotationDeps): Promise<RootVersion | undefined> {
  if (!(await isRootDue(deps)) || (await needsOperator(deps))) return undefined;
  await deps.keyWatch.check();
  const stagedVersion = await deps.rootKeys.stageDue();
  if (stagedVersion) await recordStaged(deps, stagedVersion, 'schedule');
  return stagedVersion;
}

async function stage(deps: RootRotationDeps, actor: Actor): Promise<RootVersion> {
  await deps.keyWatch.check();
  const stagedVersion = await deps.rootKeys.stage();
  await recordStaged(deps, stagedVersion, actor);
  return stagedVersion;
}

async function recordStaged(
  { audit }: RootRotationDeps,
  { version, is_new }: StagedVersion,
  actor: Actor,
): Promise<void> {
  if (is_new) await audit.record({ actor, verb: 'stage_root', outcome: `version ${version}` });
}

/**
 * Activates the version if every vault holds it; skips vaults that are silent for a week. Returns the vaults
 * that lack it.
 */
async function activate(
  deps: RootRotationDeps,
  { version }: RootVersion,
  actor: Actor,
  attemptsMax: number,
): Promise<VaultsWithoutKey> {
  const { holds } = await deps.keyWatch.check();
  for (let attemptsLeft = holds.includes(version) ? attemptsMax : 1; ; attemptsLeft--) {
    const { isActivated, ...vaultsWithoutKey } = await deps.rootKeys.activate(version);
    if (isActivated) await recordActivation(deps, actor, version, vaultsWithoutKey);
    if (attemptsLeft <= 1 || !(await canLoadAlone(deps, vaultsWithoutKey.waits_for)))
      return vaultsWithoutKey;
    await sleep(ACTIVATE_POLL_MS);
  }
}

async function recordActivation(
  { audit }: RootRotationDeps,
  actor: Actor,
  version: number,
  { skipped }: VaultsWithoutKey,
): Promise<void> {
  await audit.record({ actor, verb: 'rotate_root', outcome: `version ${version}` });
  for (const outcome of describeVaults(skipped)) {
    await audit.record({ actor, verb: 'pass_over_vault', outcome });
  }
}

/** Whether any of these vaults can read the key without an operator: from the HSM, or from a shared directory. */
async function canLoadAlone(
  { kms, self }: RootRotationDeps,
  vaultsWithoutKey: readonly KnownVault[],
): Promise<boolean> {
  if (vaultsWithoutKey.length === 0) return false;
  const { provider } = await kms.describe();
  return provider !== 'file' || vaultsWithoutKey.every(({ name }) => name === self.name);
}

/** Why a version is not active yet, and what to do. */
export async function describeWait(
  { db, kms }: { readonly db: Db; readonly kms: Kms },
  { version, fingerprint }: Pick<RootVersion, 'version' | 'fingerprint'>,
  vaultsWithoutKey: readonly KnownVault[],
): Promise<string> {
  const [holderName] = await findHolderNames(db, version);
  const keyDescription = fingerprint
    ? `${basename(kms.nameOf(version))} (fingerprint ${fingerprint})`
    : kms.nameOf(version);
  const copyAdvice = holderName
    ? `Copy ${keyDescription} from ${holderName} to each of them.`
    : `Bring ${keyDescription} to each of them.`;
  return [
    `Version ${version} of the root key is not active yet. Vaults without it: ${describeVaults(vaultsWithoutKey).join(', ')}.`,
    fingerprint ? copyAdvice : `Each of them needs ${keyDescription}.`,
    'The version becomes active within two minutes after all vaults have it.',
    `Remove a vault that no longer exists: npm run florin -- vault retire NAME. Vaults that are silent for ${ABSENT_DAYS} days are ignored.`,
  ].join(' ');
}

async function rewrapAndReport(
  deps: RootRotationDeps,
  actor: Actor,
  report: ReportProgress,
): Promise<void> {
  const count = await rewrapKeys(deps);
  if (count === 0 && actor === 'schedule') return;
  await deps.audit.record({ actor, verb: 'rewrap_keys', outcome: `${count} rewrapped` });
  report(`Rewrapped ${count} keys with the newest version of the root key.`);
}
