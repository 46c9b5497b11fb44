import { isListed } from '@florin/contract/events.ts';
import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import type { Row } from '../../platform/database/row.ts';

/** What a replay does with an event: it is left alone, its delivery is asked for again, or it gets its first one. */
export type Replayed = 'left' | 'again' | 'first';

const listOf = (json: string | null | undefined): readonly string[] | undefined =>
  json ? (JSON.parse(json) as string[]) : undefined;

/** The codes that both the replay and its subscription list. */
export function replayedCodes(replay: Row, subscription: Row): readonly string[] {
  const lists = [replay.events, subscription.events].flatMap((json) => {
    const list = listOf(json);
    return list ? [list] : [];
  });
  return eventCodes.filter((code) => lists.every((list) => isListed(list, code)));
}

/** Where a replay does not say: what is over, however it ended, and what was never sent. */
const USUAL = ['delivered', 'stopped', 'exhausted', 'none'];

/** Says of events, with the delivery that there is of each, what a replay does with them. */
export function createReplayed(replay: Row, subscription: Row): (event: Row) => Replayed {
  const codes = new Set(replayedCodes(replay, subscription));
  const wanted = wantedStatuses(replay);
  return ({ code, delivery_status }) => {
    if (!codes.has(code as string) || !wanted.has(delivery_status ?? 'none')) return 'left';
    return delivery_status ? 'again' : 'first';
  };
}

/** How the delivery of an event must stand for a replay to take it, `none` where there is none. */
export const wantedStatuses = (replay: Row): ReadonlySet<string> =>
  new Set(listOf(replay.delivery_statuses) ?? USUAL);
