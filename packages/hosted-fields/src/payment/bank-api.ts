import type {
  ChallengeCall,
  FingerprintAnswer,
  FrameConfig,
  VerifyAnswer,
} from '@florin/contract/protocol/frame.ts';
import { bodyOf, call } from '../api.ts';

const LIMIT_MS = 10_000;
const neverAborted = new AbortController().signal;

/** Requests of the form about 3-D Secure. Each resolves to undefined without a response. */
export interface BankApi {
  fingerprint(bin: string): Promise<FingerprintAnswer | undefined>;
  challenge(handle: string): Promise<VerifyAnswer | undefined>;
  cancel(handle: string, reason: ChallengeCall['reason']): Promise<VerifyAnswer | undefined>;
}

export function createBankApi(
  { session }: FrameConfig,
  { fingerprint_url, challenge_url, cancel_url }: NonNullable<FrameConfig['threeds']>,
): BankApi {
  return {
    fingerprint: (bin) => post(fingerprint_url, { session, bin }),
    challenge: (authentication) => post(challenge_url, { session, authentication }),
    cancel: (authentication, reason) => post(cancel_url, { session, authentication, reason }),
  };
}

async function post<Answer>(url: string, body: object): Promise<Answer | undefined> {
  const response = await call(url, LIMIT_MS, neverAborted, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // Completes the cancellation even if the cardholder leaves the page meanwhile.
    keepalive: true,
  });
  return response && response.status < 500 ? bodyOf(response) : undefined;
}
