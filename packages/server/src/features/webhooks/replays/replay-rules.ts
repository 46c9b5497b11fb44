import { isListed } from '@florin/contract/events.ts';
import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import type { Row } from '../../../platform/database/row.ts';

/**
 * Effect of a replay on an event. `left`: no delivery; `again`: a repeated delivery; `first`: the
 * first delivery.
 */
export type ReplayEffect = 'left' | 'again' | 'first';

const listOf = (json: string | null | undefined): readonly string[] | undefined =>
  json ? (JSON.parse(json) as string[]) : undefined;

/** Event codes that both the replay and its subscription list. */
export function replayedCodes(replay: Row, subscription: Row): readonly string[] {
  const patternLists = [replay.events, subscription.events].flatMap((json) => {
    const list = listOf(json);
    return list ? [list] : [];
  });
  return eventCodes.filter((code) => patternLists.every((list) => isListed(list, code)));
}

/** Default statuses: finished deliveries of any outcome, and events that were never sent. */
const USUAL = ['delivered', 'stopped', 'exhausted', 'none'];

/** Returns a function that decides the effect on an event, with its delivery if any. */
export function createReplayed(replay: Row, subscription: Row): (event: Row) => ReplayEffect {
  const codes = new Set(replayedCodes(replay, subscription));
  const includedStatuses = includedStatusesOf(replay);
  return ({ code, delivery_status }) => {
    if (!codes.has(code as string) || !includedStatuses.has(delivery_status ?? 'none'))
      return 'left';
    return delivery_status ? 'again' : 'first';
  };
}

/** Delivery statuses that a replay includes. `none` means events without a delivery. */
export const includedStatusesOf = (replay: Row): ReadonlySet<string> =>
  new Set(listOf(replay.delivery_statuses) ?? USUAL);
