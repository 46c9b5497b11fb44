import { MODES, RETIRED_KEY_GRACE_MS } from '../../keys/sealing-keys.ts';
import type { ReportProgress } from '../progress.ts';
import { planSeal, type SealPlan, type SealRequest } from '../rotate-seal.ts';
import { ALREADY_PUBLISHED } from '../rotator.ts';
import type { PreviewDeps } from './deps.ts';

/** Reports the sealing keys that a rotation would publish, retire and destroy. */
export async function previewSeal(
  deps: PreviewDeps,
  request: SealRequest,
  report: ReportProgress,
): Promise<void> {
  const sentences = await describeSeal(deps, request);
  for (const sentence of sentences) report(sentence);
  if (sentences.length === 0) report(ALREADY_PUBLISHED);
}

/** Sentences on what a rotation would change; none if nothing. */
export async function describeSeal(
  { db, clock }: Pick<PreviewDeps, 'db' | 'clock'>,
  request: SealRequest,
): Promise<string[]> {
  const now = clock();
  const sentences: string[] = [];
  for (const mode of MODES)
    sentences.push(...sentencesOf(mode, await planSeal(db, mode, now, request), now));
  return sentences;
}

function sentencesOf(mode: string, { active_at, retired, destroyed }: SealPlan, now: number) {
  const readsUntil = instantOf(now + RETIRED_KEY_GRACE_MS);
  return [
    ...(active_at === undefined
      ? []
      : [`Would publish a new ${mode} sealing key, for forms from ${instantOf(active_at)} on.`]),
    ...retired.map(
      (kid) => `Would retire the ${mode} sealing key ${kid}: it opens cards until ${readsUntil}.`,
    ),
    ...destroyed.map((kid) => `Would destroy the retired ${mode} sealing key ${kid}.`),
  ];
}

const instantOf = (ms: number): string => new Date(ms).toISOString();
