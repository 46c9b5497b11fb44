import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChallengeResult } from '@florin/contract/protocol/network.ts';
import type { ChallengePage } from './behaviours.ts';

/** Waits before each delivery of a result, in milliseconds; then it is given up. */
const WAITS_MS = [0, 500, 2_000, 10_000] as const;
const LATE_MS = 2_000;
const TIMEOUT_MS = 5_000;
const OK = 200;

export interface Delivery {
  readonly url: string;
  readonly result: ChallengeResult;
  readonly page: ChallengePage;
}
export type ResultSender = (delivery: Delivery) => Promise<void>;

/** The directory server's way to its client: delivers a result until it is received, in the manner of the page. */
export function createResultSender(pace: number, closing: AbortSignal): ResultSender {
  const wait = (ms: number): Promise<unknown> =>
    sleep(ms * pace, undefined, { signal: closing, ref: false });

  async function deliver(url: string, result: ChallengeResult): Promise<void> {
    for (const ms of WAITS_MS) {
      await wait(ms);
      if ((await post(url, result, closing)) === OK) return;
    }
  }

  return async ({ url, result, page }) => {
    try {
      if (page === 'late') await wait(LATE_MS);
      await deliver(url, result);
      if (page !== 'duplicate') return;
      await deliver(url, result);
      await deliver(url, contradiction(result));
    } catch {
      // The simulator is closing: nobody waits for the result any more.
    }
  };
}

/** What an earlier result would have been: it arrives last, and must change nothing. */
const contradiction = ({ cavv, ...result }: ChallengeResult): ChallengeResult => ({
  ...result,
  trans_status: result.trans_status === 'Y' ? 'N' : 'Y',
});

/** The status that a message was answered with; 0 where none came. */
function post(url: string, body: object, signal: AbortSignal): Promise<number> {
  const target = new URL(url);
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const request = send(target, {
      method: 'POST',
      signal,
      timeout: TIMEOUT_MS,
      headers: { 'content-type': 'application/json', 'user-agent': 'florin-directory-server' },
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(0));
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.end(JSON.stringify(body));
  });
}
