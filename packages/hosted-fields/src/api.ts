import {
  ABANDON_GRACE_MS,
  type AbandonRequest,
  type FrameConfig,
  type StatusAnswer,
  type VerifyAnswer,
  type VerifyRequest,
  type WalletRequest,
} from '@florin/contract/protocol/frame.ts';

const VERIFY_LIMIT_MS = 60_000;
const STATUS_LIMIT_MS = 10_000;

/** Requests of the form to its own origin. Each resolves to undefined without a response. */
export interface Api {
  verify(request: VerifyRequest, signal: AbortSignal): Promise<VerifyAnswer | undefined>;
  status(signal: AbortSignal): Promise<StatusAnswer | undefined>;
  /** Abandons an attempt and returns its outcome. */
  abandon(attempt: AttemptIdentity): Promise<VerifyAnswer | undefined>;
}

/** Identifies an attempt that the server knows, or will know when its request arrives. */
export type AttemptIdentity = Omit<AbandonRequest, 'session'>;

export const neverAborted = new AbortController().signal;

export function createApi({ verify_url, status_url, abandon_url, session }: FrameConfig): Api {
  return {
    verify: (request, signal) => sendCard(verify_url, request, signal),
    async status(signal) {
      const url = `${status_url}?session=${encodeURIComponent(session)}`;
      const response = await call(url, STATUS_LIMIT_MS, signal);
      return response?.ok ? bodyOf<StatusAnswer>(response) : undefined;
    },
    async abandon(attempted) {
      const response = await call(abandon_url, ABANDON_GRACE_MS, neverAborted, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ session, ...attempted }),
      });
      return response?.ok ? bodyOf<VerifyAnswer>(response) : undefined;
    },
  };
}

/** Sends a sealed card or a wallet's card for verification. */
export async function sendCard(
  url: string,
  request: VerifyRequest | WalletRequest,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  const response = await call(url, VERIFY_LIMIT_MS, signal, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (!response || response.status >= 500) return undefined;
  const answer = await bodyOf<VerifyAnswer>(response);
  return response.ok || answer?.result ? answer : formOver;
}

/** The form has a text for the code. */
const formOver: VerifyAnswer = { result: 'error', detail: { code: 'form_expired', message: '' } };

/** Sends a request to the form's own origin. Resolves to undefined if no response arrives in time. */
export async function call(
  url: string,
  limit_ms: number,
  signal: AbortSignal,
  init: RequestInit = {},
): Promise<Response | undefined> {
  try {
    const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(limit_ms)]);
    return await fetch(url, { ...init, signal: limitedSignal, redirect: 'error' });
  } catch {
    return undefined;
  }
}

/** Reads a JSON body; undefined if it is not JSON. */
export async function bodyOf<Answer>(response: Response): Promise<Answer | undefined> {
  try {
    return (await response.json()) as Answer;
  } catch {
    return undefined;
  }
}
