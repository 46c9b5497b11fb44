import { badRequest } from '../../kernel/errors.ts';
import { findAvailableStaged, findNewestVersion } from '../../keys/root-versions.ts';
import { describeVaults, findVaultsWithout, type KnownVault } from '../../keys/vaults.ts';
import type { ReportProgress } from '../progress.ts';
import { countOlderKeys } from '../rewrap-keys.ts';
import { describeSkipped, describeWait } from '../rotate-root.ts';
import type { PreviewDeps } from './deps.ts';

/** The next version of the root key, and the vaults that would lack it. */
interface RootPlan {
  readonly version: number;
  readonly fingerprint: string | null;
  readonly is_new: boolean;
  /** Vaults that need an operator to get the key. */
  readonly waits_for: readonly KnownVault[];
  /** Vaults that read the key themselves. */
  readonly loads_alone: readonly KnownVault[];
  readonly skipped: readonly KnownVault[];
}

/** Reports what a rotation of the root key would do. Throws `bad_request` where the rotation would. */
export async function previewRoot(deps: PreviewDeps, report: ReportProgress): Promise<void> {
  const plan = await planRoot(deps);
  if (plan.is_new) report(createSentence(deps, plan));
  if (plan.waits_for.length > 0)
    throw badRequest(`${await describeWait(deps, plan, plan.waits_for)} Nothing was changed.`);
  for (const sentence of await describeActivation(deps, plan)) report(sentence);
}

export const createSentence = ({ kms }: PreviewDeps, { version }: RootPlan): string =>
  `Would create version ${version} of the root key: ${kms.nameOf(version)}.`;

export async function describeActivation(
  { db }: PreviewDeps,
  { version, loads_alone, skipped }: RootPlan,
): Promise<string[]> {
  const count = await countOlderKeys(db, version);
  return [
    ...(loads_alone.length === 0
      ? []
      : [`Would wait until these vaults have read it: ${describeVaults(loads_alone).join(', ')}.`]),
    `Would wrap new keys with version ${version}, and rewrap ${count} stored keys with it.`,
    ...(skipped.length === 0 ? [] : [`Would not wait for ${describeSkipped(skipped)}`]),
  ];
}

/** Decides as a rotation does, whose vault would announce a new key first. */
export async function planRoot({ db, kms, clock, self, keyWatch }: PreviewDeps): Promise<RootPlan> {
  const staged = await findAvailableStaged(db, clock());
  const version = staged?.version ?? ((await findNewestVersion(db))?.version ?? 0) + 1;
  const { waits_for: lacking, skipped } = await findVaultsWithout(db, version, clock());
  const { provider } = await kms.describe();
  const holdsIt = !staged || keyWatch.status().holds.includes(version);
  const isAlone = ({ name }: KnownVault) => holdsIt && (provider !== 'file' || name === self.name);
  return {
    version,
    fingerprint: staged?.fingerprint ?? null,
    is_new: !staged,
    waits_for: lacking.filter((vault) => !isAlone(vault)),
    loads_alone: lacking.filter((vault) => isAlone(vault) && vault.name !== self.name),
    skipped,
  };
}
