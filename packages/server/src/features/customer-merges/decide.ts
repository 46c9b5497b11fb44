import { problem } from '@florin/contract/errors.ts';
import { mergedAttributes } from '@florin/contract/resources/customer-merges.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import { customerMerged } from '../records/customer-merged.ts';

const SOURCE = '/data/relationships/source';
const TARGET = '/data/relationships/target';

/** Customers that one customer may stand for. Later merges change the pointer of each. */
export const MERGED_INTO_MAX = 100;

/** Facts about two customers, besides their rows. */
export interface MergeFacts {
  /** Earlier merges into the source and into the target. */
  readonly merged_count: number;
  readonly has_own_clock: boolean;
}

/** Throws 422 for a merge of a customer with itself. */
export function requireTwo({ source_id, target_id }: Row): void {
  if (source_id !== target_id) return;
  throw problem('invalid', 'source and target must be two customers.', { pointer: TARGET });
}

/** Throws 422 if two customers cannot be merged. Pure. */
export function requireMergeable(source: Row, target: Row, facts: MergeFacts): void {
  if (source.merged_into_id) throw customerMerged(source.merged_into_id, SOURCE);
  if (target.merged_into_id) throw customerMerged(target.merged_into_id, TARGET);
  if (!source.blocked_at !== !target.blocked_at) {
    const blocked = source.blocked_at ? 'source' : 'target';
    throw problem(
      'invalid',
      `Only ${blocked} is blocked. Block both customers, or unblock ${blocked}, then merge them.`,
      { pointer: `/data/relationships/${blocked}` },
    );
  }
  if (facts.has_own_clock) {
    const detail =
      'A customer with a sandbox clock cannot be merged, because its records have another time. Remove the clock first.';
    throw problem('invalid', detail, { pointer: SOURCE });
  }
  if (facts.merged_count >= MERGED_INTO_MAX) {
    const detail = `A customer can have at most ${MERGED_INTO_MAX} merged customers. Merge into another customer.`;
    throw problem(
      'limit_reached',
      detail,
      { pointer: TARGET },
      { meta: { limit: MERGED_INTO_MAX } },
    );
  }
}

/** Attributes that the source has with another value than the target. */
export const differencesOf = (source: Row, target: Row): readonly string[] =>
  mergedAttributes.filter((name) => source[name] != null && source[name] !== target[name]);

/**
 * Seconds after a completed merge at which it looks for records that others stored meanwhile. A request that began
 * before the merge ends within ten minutes, an authentication of a card within an hour.
 */
const LATER_LOOKS_S = [10, 10 * 60, 60 * 60] as const;

/** Wait until the next look after a completed merge; undefined after the last one. */
export function untilNextLook(completed_at: string, now: Micros): Micros | undefined {
  const completed = microsOf(completed_at);
  const next = LATER_LOOKS_S.map((after) => completed + seconds(after)).find((at) => at > now);
  return next === undefined ? undefined : next - now;
}
