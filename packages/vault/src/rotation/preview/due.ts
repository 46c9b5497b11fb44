import { needsOperator } from '../../keys/key-watch.ts';
import { findNewestVersion, findStagedVersion, isRootDue } from '../../keys/root-versions.ts';
import { findOrphanedVersions } from '../destroy-root.ts';
import type { ReportProgress } from '../progress.ts';
import { countOlderKeys, isRewrapUnfinished, listDueVersions } from '../rewrap-keys.ts';
import { describeWait } from '../rotate-root.ts';
import type { PreviewDeps } from './deps.ts';
import { describeDueKeks } from './keks.ts';
import { createSentence, describeActivation, planRoot } from './root.ts';
import { describeSeal } from './seal.ts';

/** Reports every rotation that is due or was interrupted, and what each waits for. */
export async function previewDue(deps: PreviewDeps, report: ReportProgress): Promise<void> {
  const sentences = [
    ...(await describeSeal(deps, 'when due')),
    ...(await describeDueKeks(deps)),
    ...(await describeDueRoot(deps)),
    ...(await describeOverdueRoots(deps)),
  ];
  for (const sentence of sentences) report(sentence);
  if (sentences.length === 0) report('No rotation is due.');
}

async function describeDueRoot(deps: PreviewDeps): Promise<string[]> {
  if (!(await findStagedVersion(deps.db))) {
    if (!(await isRootDue(deps))) return describeUnfinishedRewrap(deps);
    if (await needsOperator(deps))
      return ['A rotation of the root key is due, and needs an operator: rotate root.'];
  }
  const plan = await planRoot(deps);
  return [
    ...(plan.is_new ? [createSentence(deps, plan)] : []),
    ...(plan.waits_for.length > 0
      ? [await describeWait(deps, plan, plan.waits_for)]
      : await describeActivation(deps, plan)),
  ];
}

async function describeUnfinishedRewrap({ db }: PreviewDeps): Promise<string[]> {
  const version = (await findNewestVersion(db))?.version ?? 1;
  if (!(await isRewrapUnfinished(db, version))) return [];
  const count = await countOlderKeys(db, version);
  return [`Would rewrap ${count} stored keys with version ${version} of the root key.`];
}

async function describeOverdueRoots(deps: PreviewDeps): Promise<string[]> {
  const dueVersions = await listDueVersions(deps.db, deps.clock());
  const orphanedVersions = await findOrphanedVersions(deps);
  return [
    ...dueVersions.map(({ version, is_needed }) =>
      is_needed
        ? `Version ${version} of the root key stays, because a key still needs it.`
        : `Would destroy version ${version} of the root key.`,
    ),
    ...orphanedVersions.map(
      (version) => `Would finish the destruction of version ${version} of the root key.`,
    ),
  ];
}
