import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor, Audit } from '../audit/audit.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { isOperatorsTurn, isRootDue, type KeyWatch } from '../keys/key-watch.ts';
import { type RootVersion, stagedVersion } from '../keys/root-versions.ts';
import { holdersOf, type KnownVault, type VaultSelf } from '../keys/vaults.ts';
import { destroyDueRoots } from './destroy-root.ts';
import { isRewrapUnfinished, type RootDeps, rewrapKeys } from './rewrap-keys.ts';
import type { Say } from './rotator.ts';

export interface RootRotationDeps extends RootDeps {
  readonly audit: Audit;
  readonly self: VaultSelf;
  readonly keyWatch: KeyWatch;
}

/** How long a command waits for vaults that see the new key without anybody's help. */
const PATIENCE_TRIES = 50;
const PATIENCE_MS = 200;

/**
 * Makes the next version of the root key and puts all keys under it, once every vault holds it. Throws `bad_request`, and
 * names them, while vaults lack it: the version waits, and is used as soon as they have it.
 */
export async function rotateRoot(deps: RootRotationDeps, actor: Actor, say: Say): Promise<void> {
  const staged = await stage(deps, actor);
  const lacking = await activate(deps, staged, actor, PATIENCE_TRIES);
  if (lacking.length > 0) {
    throw new VaultRefusal('bad_request', await waitsFor(deps, staged, lacking));
  }
  const { version } = staged;
  say(`Version ${version} of the root key wraps from now on: ${deps.kms.nameOf(version)}.`);
  await finish(deps, actor, say);
}

/**
 * Rotates the root key where it is due and no operator has to carry it, uses the version that waited, finishes what was
 * left, and destroys what was replaced long enough ago.
 */
export async function rotateDueRoot(deps: RootRotationDeps): Promise<void> {
  await useStaged(deps);
  if (await isRewrapUnfinished(deps)) await finish(deps, 'schedule', () => {});
  for (const version of await destroyDueRoots(deps)) {
    const outcome = `version ${version}`;
    await deps.audit.record({ actor: 'schedule', verb: 'destroy_root', outcome });
  }
}

async function useStaged(deps: RootRotationDeps): Promise<void> {
  const isTime = (await isRootDue(deps)) && !(await isOperatorsTurn(deps));
  const staged =
    (await stagedVersion(deps.db)) ?? (isTime ? await stage(deps, 'schedule') : undefined);
  if (staged) await activate(deps, staged, 'schedule', 1);
}

async function stage(deps: RootRotationDeps, actor: Actor): Promise<RootVersion> {
  await deps.keyWatch.look();
  const staged = await deps.rootKeys.stage();
  const outcome = `version ${staged.version}`;
  if (staged.is_new) await deps.audit.record({ actor, verb: 'stage_root', outcome });
  return staged;
}

/** Has the version wrap where every vault holds it; gives the vaults that lack it. */
async function activate(
  deps: RootRotationDeps,
  { version }: RootVersion,
  actor: Actor,
  tries: number,
): Promise<readonly KnownVault[]> {
  const { holds } = await deps.keyWatch.look();
  for (let left = holds.includes(version) ? tries : 1; ; left--) {
    const { done, lacking } = await deps.rootKeys.activate(version);
    if (done)
      await deps.audit.record({ actor, verb: 'rotate_root', outcome: `version ${version}` });
    if (left <= 1 || !(await mayFollow(deps, lacking))) return lacking;
    await sleep(PATIENCE_MS);
  }
}

/** Whether some of them see the key without anybody's help: in the HSM, or in the directory that they share with this vault. */
async function mayFollow(
  { kms, self }: RootRotationDeps,
  lacking: readonly KnownVault[],
): Promise<boolean> {
  if (lacking.length === 0) return false;
  const { provider } = await kms.describe();
  return provider !== 'file' || lacking.every(({ name }) => name === self.name);
}

async function waitsFor(
  { db, kms }: RootRotationDeps,
  { version, fingerprint }: RootVersion,
  lacking: readonly KnownVault[],
): Promise<string> {
  const [holder] = await holdersOf(db, version);
  const names = lacking.map(
    ({ name, seen_at }) => `${name} (heard of at ${seen_at.toISOString()})`,
  );
  const what = fingerprint
    ? `${basename(kms.nameOf(version))} (fingerprint ${fingerprint})`
    : kms.nameOf(version);
  const bring = holder
    ? `Copy ${what} from ${holder} to each of them.`
    : `Bring ${what} to each of them.`;
  return [
    `Version ${version} of the root key is not used yet, as ${lacking.length === 1 ? 'a vault lacks' : 'vaults lack'} it: ${names.join(', ')}.`,
    fingerprint ? bring : `Each of them must find ${what}.`,
    'The version is used within two minutes of when all of them hold it.',
    'Where one is gone for good: npm run florin -- vault retire NAME.',
  ].join(' ');
}

async function finish(deps: RootRotationDeps, actor: Actor, say: Say): Promise<void> {
  const count = await rewrapKeys(deps);
  if (count === 0 && actor === 'schedule') return;
  await deps.audit.record({ actor, verb: 'rewrap_keys', outcome: `${count} rewrapped` });
  say(`${count} keys are under the newest version of the root key.`);
}
