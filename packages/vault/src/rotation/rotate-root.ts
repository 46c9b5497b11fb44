import type { Actor, Audit } from '../audit/audit.ts';
import { destroyDueRoots } from './destroy-root.ts';
import { isRewrapUnfinished, type RootDeps, rewrapKeys } from './rewrap-keys.ts';
import type { Say } from './rotator.ts';

export interface RootRotationDeps extends RootDeps {
  readonly audit: Audit;
}

/** Makes the next version of the root key and puts all keys under it. */
export async function rotateRoot(deps: RootRotationDeps, actor: Actor, say: Say): Promise<void> {
  const version = await deps.rootKeys.advance();
  await deps.audit.record({ actor, verb: 'rotate_root', outcome: `version ${version}` });
  say(`Version ${version} of the root key wraps from now on: ${deps.kms.nameOf(version)}.`);
  await finish(deps, actor, say);
}

/** Rotates the root key where it is due, finishes what was left, and destroys what was replaced long enough ago. */
export async function rotateDueRoot(deps: RootRotationDeps): Promise<void> {
  if (await isDue(deps)) await rotateRoot(deps, 'schedule', () => {});
  else if (await isRewrapUnfinished(deps)) await finish(deps, 'schedule', () => {});
  for (const version of await destroyDueRoots(deps)) {
    const outcome = `version ${version}`;
    await deps.audit.record({ actor: 'schedule', verb: 'destroy_root', outcome });
  }
}

async function finish(deps: RootRotationDeps, actor: Actor, say: Say): Promise<void> {
  const count = await rewrapKeys(deps);
  if (count === 0 && actor === 'schedule') return;
  await deps.audit.record({ actor, verb: 'rewrap_keys', outcome: `${count} rewrapped` });
  say(`${count} keys are under the newest version of the root key.`);
}

async function isDue({ db, clock }: RootRotationDeps): Promise<boolean> {
  const [row] = await db.query(
    `select from vault.root_keys
     where rotate_at <= $1 and version = (select max(version) from vault.root_keys)`,
    [new Date(clock())],
  );
  return row !== undefined;
}
