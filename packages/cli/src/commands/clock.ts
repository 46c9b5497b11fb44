import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { accessOf, accessOptions, sandboxOnly } from '../api/access.ts';
import { type ApiClient, type ApiRecord, createClient } from '../api/client.ts';
import type { AccessSettings } from '../config/env.ts';
import { secondsOf } from '../kernel/duration.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

export const CLOCK_USAGE = [
  '       npm run florin -- clock advance --by SPAN | --to INSTANT [--customer ID] [--key KEY] [--host URL]',
  '           advances a sandbox clock; due work runs at its own time',
  '           --by        a duration: 90s, 15m, 12h, 31d or 2w',
  '           --to        a time: 2027-01-31T09:00:00Z',
  '           --customer  the clock of this customer; default: the clock of all customers without one',
].join('\n');

export interface ClockContext {
  readonly settings: AccessSettings;
  readonly print: (sentence: string) => void;
}

interface ClockRecord extends ApiRecord {
  readonly attributes: {
    readonly status: string;
    readonly from_at: string | null;
    readonly reached_at: string | null;
    readonly target_at: string | null;
  };
}

const POLL_MS = 250;
const PATH = '/v2/sandbox_clocks';

/** Advances a sandbox clock, creates it if needed, and reports its progress. Resolves with the exit code. */
export async function clockCommand(words: string[], context: ClockContext): Promise<number> {
  const { attributes, customer, ...givenAccess } = parse(words);
  const access = accessOf(givenAccess, context.settings);
  const api = createClient(sandboxOnly(access, 'Only the sandbox has clocks'));
  const { id, type } = (await findClock(api, customer)) ?? (await makeClock(api, customer));
  await api.send('PATCH', `${PATH}/${id}/advance`, { id, type, attributes });
  const { attributes: reachedAttributes } = await waitUntilReady(api, id, context.print);
  context.print(`The sandbox clock is at ${minuteOf(reachedAttributes.reached_at)}.`);
  return 0;
}

function parse(words: string[]) {
  const { positionals, values } = parseWords(words);
  const { by, to, ...otherOptions } = values;
  const isAdvance = positionals.length === 1 && positionals[0] === 'advance';
  if (!isAdvance || (by === undefined) === (to === undefined)) throw usageError();
  return { ...otherOptions, attributes: to === undefined ? { by_seconds: parseSpan(by) } : { to } };
}

function parseSpan(by = ''): number {
  const by_seconds = secondsOf(by);
  if (by_seconds === undefined)
    throw new PlainFailure('--by must be a duration such as 90s, 15m, 12h, 31d or 2w.');
  return by_seconds;
}

function parseWords(words: string[]) {
  const text = { type: 'string' } as const;
  const options = { by: text, to: text, customer: text, ...accessOptions };
  try {
    return parseArgs({ args: words, allowPositionals: true, options });
  } catch {
    throw usageError();
  }
}

const usageError = (): Error => new PlainFailure(`Usage:\n${CLOCK_USAGE}`);

/** Reads only the first page, newest first: a page holds more clocks than a merchant may have active. */
async function findClock(
  api: ApiClient,
  customer: string | undefined,
): Promise<ApiRecord | undefined> {
  const { data } = await api.list(`${PATH}?page[size]=100`);
  return data.find(
    ({ attributes, relationships }) =>
      attributes.status !== 'removed' && customerOf(relationships) === customer,
  );
}

const customerOf = ({ customer }: ApiRecord['relationships']): string | undefined =>
  (customer?.data as { readonly id: string } | null | undefined)?.id;

const makeClock = (api: ApiClient, customer: string | undefined): Promise<ApiRecord> =>
  api.send('POST', PATH, {
    type: 'sandbox_clocks',
    ...(customer && { relationships: { customer: { data: { type: 'customers', id: customer } } } }),
  });

/** Waits until the clock has reached its target, and reports its time once a minute. */
async function waitUntilReady(
  api: ApiClient,
  id: string,
  print: ClockContext['print'],
): Promise<ClockRecord> {
  for (let lastProgress = ''; ; await sleep(POLL_MS)) {
    const clock = (await api.send('GET', `${PATH}/${id}`)) as ClockRecord;
    if (clock.attributes.status === 'ready') return clock;
    const progress = progressOf(clock);
    if (progress !== lastProgress) print(progress);
    lastProgress = progress;
  }
}

function progressOf({ attributes: { from_at, reached_at, target_at } }: ClockRecord): string {
  const [from, reached, target] = [from_at, reached_at, target_at].map((at) =>
    Date.parse(at ?? ''),
  );
  const share = ((reached ?? 0) - (from ?? 0)) / ((target ?? 0) - (from ?? 0));
  return `${minuteOf(reached_at)}  ${Math.min(100, Math.floor(share * 100))}%`;
}

const minuteOf = (instant: string | null): string =>
  (instant ?? '').slice(0, 16).replace('T', ' ').concat(' UTC');
