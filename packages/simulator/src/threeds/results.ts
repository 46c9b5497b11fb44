import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChallengeResult } from '@florin/contract/protocol/network.ts';
import {
  RESULT_SIGNATURE_HEADER,
  resultSignatureHeader,
  signedResultText,
} from '@florin/contract/protocol/threeds-results.ts';
import type { ChallengePage } from './behaviours.ts';

/** Delay before each delivery of a result, in milliseconds. After the last delivery the result is dropped. */
const DELIVERY_DELAYS_MS = [0, 500, 2_000, 10_000] as const;
const LATE_MS = 2_000;
const TIMEOUT_MS = 5_000;
const OK = 200;

export interface Delivery {
  readonly url: string;
  /** Key that signs the result. */
  readonly key: string;
  readonly result: ChallengeResult;
  readonly page: ChallengePage;
}
type Target = Pick<Delivery, 'url' | 'key'>;
export type ResultSender = (delivery: Delivery) => Promise<void>;

/** Delivers results to the directory server's client until it accepts them, with the simulated behaviour. */
export function createResultSender(pace: number, closingSignal: AbortSignal): ResultSender {
  const wait = (ms: number): Promise<unknown> =>
    sleep(ms * pace, undefined, { signal: closingSignal, ref: false });

  async function deliver(target: Target, result: ChallengeResult): Promise<void> {
    for (const ms of DELIVERY_DELAYS_MS) {
      await wait(ms);
      if ((await post(target, result, closingSignal)) === OK) return;
    }
  }

  return async ({ url, key, result, page }) => {
    const target = { url, key };
    try {
      if (page === 'late') await wait(LATE_MS);
      await deliver(target, result);
      if (page !== 'duplicate') return;
      await deliver(target, result);
      await deliver(target, contradict(result));
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
function post({ url, key }: Target, result: object, signal: AbortSignal): Promise<number> {
  const body = JSON.stringify(result);
  const targetUrl = new URL(url);
  const createRequest = targetUrl.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const request = createRequest(targetUrl, {
      method: 'POST',
      signal,
      timeout: TIMEOUT_MS,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'florin-directory-server',
        [RESULT_SIGNATURE_HEADER]: signatureOf(key, body),
      },
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(0));
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.end(body);
  });
}

/** Signs each delivery by itself, since the receiver refuses repeated signatures. */
function signatureOf(key: string, body: string): string {
  const sent_at = Date.now();
  const hmac = createHmac('sha256', key).update(signedResultText(sent_at, body));
  return resultSignatureHeader({ sent_at, signature: hmac.digest('base64url') });
}
