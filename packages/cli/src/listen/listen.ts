import { setTimeout as sleep } from 'node:timers/promises';
import { isListed } from '@florin/contract/events.ts';
import { backOff } from '../api/back-off.ts';
import { type ApiClient, ApiError } from '../api/client.ts';
import { codeOfEvent, type EventRecord, nameOf, newEvents, positionFrom } from './event-log.ts';
import { type ForwardResult, forward, type Receiver } from './forward.ts';
import type { Position } from './position.ts';
import type { ListenerState } from './stored-position.ts';

export interface ListenOptions {
  readonly api: ApiClient;
  readonly state: ListenerState;
  readonly receiver: Receiver;
  /** Event codes and wildcards; other events are skipped. */
  readonly patterns: readonly string[];
  /** Start position: `now`, `beginning` or an event's id. Default: the stored position, or `now` without one. */
  readonly from: string | undefined;
  readonly print: (sentence: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds between two reads of the log. */
  readonly poll_ms?: number;
}

const POLL_MS = 1_000;
/**
 * Interval between writes of the position. After a crash, events since the last write are sent again with the same
 * ids.
 */
const STORE_EVERY_MS = 250;

/** Forwards each event of the log once and in order until `signal` is aborted. */
export async function listen(options: ListenOptions): Promise<void> {
  const { api, state, from, print, signal, poll_ms = POLL_MS } = options;
  const position = (!from && state.position) || (await positionFrom(api, from ?? 'now'));
  state.store(position);
  print(renderBeginning(options, position));
  for (let failures = 0; !signal.aborted; ) {
    try {
      await pollRound(options, position);
      failures = 0;
      await sleep(poll_ms, undefined, { signal }).catch(() => {});
    } catch (error) {
      if (!(error instanceof ApiError && error.isTemporary)) throw error;
      failures += 1;
      if (failures === 1) print(`${error.message} Retrying until it responds.`);
      await backOff(failures, signal);
    } finally {
      state.store(position);
    }
  }
}

function renderBeginning({ from, state }: ListenOptions, { through }: Position): string {
  if (!from && state.position) return `Continuing after ${through}.`;
  if (from === 'beginning') return 'Starting with the first event.';
  if (from && from !== 'now') return `Starting after event ${from}.`;
  return 'Starting with new events (--from beginning for all events).';
}

async function pollRound(options: ListenOptions, position: Position): Promise<void> {
  const { api, state, receiver, patterns, print, signal } = options;
  let stored_at = performance.now();
  for await (const event of newEvents(api, position)) {
    if (signal.aborted) return;
    if (!isListed(patterns, codeOfEvent(event))) continue;
    if (!event.attributes.data) {
      print(`${nameOf(event)} is not forwarded: the key may not read its record.`);
      continue;
    }
    const result = await forward(event, receiver, print, signal);
    if (!result) return;
    print(lineOf(event, result));
    if (performance.now() - stored_at < STORE_EVERY_MS) continue;
    state.store(position);
    stored_at = performance.now();
  }
}

const CLOCK = { start: 'YYYY-MM-DDT'.length, end: 'YYYY-MM-DDThh:mm:ss'.length };

const lineOf = (event: EventRecord, { status, ms }: ForwardResult): string =>
  `${event.attributes.created_at.slice(CLOCK.start, CLOCK.end)}  ${status}  ${`${ms} ms`.padStart(8)}  ${nameOf(event)}`;
