import type { Manifest } from './base-backup.ts';
import type { Catalog } from './catalog.ts';
import { chainFrom, segmentAfter } from './log-segments.ts';

/** Input of a restore: a base backup, the log after it, and where it stops. */
export interface RestorePlan {
  readonly base: Manifest;
  readonly segments: readonly string[];
  /** Undefined: the end of the log. */
  readonly until: string | undefined;
  /** Whether the log has no gap until the end of what the repository covers, so that its end is as good as a target. */
  readonly is_whole: boolean;
  /** The last moment that the restored database knows. */
  readonly knows_until: string;
}

export type PlanOrRefusal = { readonly plan: RestorePlan } | { readonly refusal: string };

/**
 * Decides how to restore to a time, or to the end of the log. Refuses a time outside the range, and a log with a gap
 * before it.
 */
export function planRestore(catalog: Catalog, until?: string): PlanOrRefusal {
  const [first] = catalog.bases;
  if (!first)
    return refuse('The repository holds no complete base backup. Run "florin backup" first.');
  const reach = reachOf(catalog);
  if (until && timeOf(until) < timeOf(first.stopped_at))
    return refuse(
      `${until} is before the first base backup, which ended at ${first.stopped_at}. Give a time from then to ${reach}.`,
    );
  if (until && timeOf(until) > timeOf(reach))
    return refuse(
      `${until} is after the end of the log, ${reach}. Give an earlier time, or leave out --to for the end of the log.`,
    );
  return planFrom(catalog, reach, until);
}

/** The last time that a repository without a gap can be restored to. */
export const reachOf = ({ bases, log }: Catalog): string =>
  [log?.covers_until ?? '', bases.at(-1)?.stopped_at ?? '']
    .sort((a, b) => timeOf(a) - timeOf(b))
    .at(-1) ?? '';

function planFrom(catalog: Catalog, reach: string, until?: string): PlanOrRefusal {
  const { bases, segments, log } = catalog;
  const isInTime = ({ stopped_at }: Manifest) => !until || timeOf(stopped_at) <= timeOf(until);
  const index = bases.findLastIndex(isInTime);
  const base = bases[index] as Manifest;
  const end = bases[index + 1]?.stop_segment ?? maxOf(base.stop_segment, log?.last_segment);
  const names = segments.map(({ name }) => name).filter((name) => name <= end);
  const chain = chainFrom(base.start_segment, names);
  const last = chain.at(-1);
  const is_whole = last === end;
  const knows_until = until ?? reach;
  const plan = { base, segments: chain, until, is_whole, knows_until };
  if (is_whole) return { plan };
  return refuseGap(catalog, plan);
}

/** A time before the gap may be restored to: PostgreSQL itself then says whether it got there. */
function refuseGap({ segments }: Catalog, plan: RestorePlan): PlanOrRefusal {
  const { base, until } = plan;
  const last = plan.segments.at(-1);
  const missing = last ? segmentAfter(last) : base.start_segment;
  if (!last || last < base.stop_segment)
    return refuse(
      `The log has a gap: ${missing} is missing, which the base backup ${base.label} needs. Restore to a time before ${base.stopped_at}, or copy the segment from another copy of the backup.`,
    );
  const edge = segments.find(({ name }) => name === last)?.stored_at ?? base.stopped_at;
  if (until && timeOf(until) <= timeOf(edge)) return { plan };
  return refuse(
    `The log has a gap: ${missing} is missing. Copy it from another copy of the backup, or restore to a time before ${edge} with --to.`,
  );
}

const refuse = (refusal: string): PlanOrRefusal => ({ refusal });
const timeOf = (text: string): number => Date.parse(text);
const maxOf = (a: string, b = ''): string => (a > b ? a : b);
