import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChallengeResult } from '@florin/contract/protocol/network.ts';
import type { ChallengePage } from './behaviours.ts';

/** Delay before each delivery of a result, in milliseconds. After the last delivery the result is dropped. */
const DELIVERY_DELAYS_MS = [0, 500, 2_000, 10_000] as const;
const LATE_MS = 2_000;
const TIMEOUT_MS = 5_000;
const OK = 200;

export interface Delivery {
  readonly url: string;
  readonly result: ChallengeResult;
  readonly page: ChallengePage;
}
export type ResultSender = (delivery: Delivery) => Promise<void>;

/** Delivers results to the directory server's client until it accepts them, with the simulated behaviour. */
export function createResultSender(pace: number, closingSignal: AbortSignal): ResultSender {
  const wait = (ms: number): Promise<unknown> =>
    sleep(ms * pace, undefined, { signal: closingSignal, ref: false });

  async function deliver(url: string, result: ChallengeResult): Promise<void> {
    for (const ms of DELIVERY_DELAYS_MS) {
      await wait(ms);
      if ((await post(url, result, closingSignal)) === OK) return;
    }
  }

  return async ({ url, result, page }) => {
    try {
      if (page === 'late') await wait(LATE_MS);
      await deliver(url, result);
      if (page !== 'duplicate') return;
      await deliver(url, result);
      await deliver(url, contradict(result));
    } catch {
      // The wait was aborted because the simulator closes: the result is dropped.
    }
  };
}

/** A result that contradicts the real one. Delivered after it; the receiver must ignore it. */
const contradict = ({ cavv, ...result }: ChallengeResult): ChallengeResult => ({
  ...result,
  trans_status: result.trans_status === 'Y' ? 'N' : 'Y',
});

/** HTTP status of the response; 0 if none arrives. */
function post(url: string, body: object, signal: AbortSignal): Promise<number> {
  const targetUrl = new URL(url);
  const createRequest = targetUrl.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const request = createRequest(targetUrl, {
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
