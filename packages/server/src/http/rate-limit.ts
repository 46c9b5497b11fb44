import { problem } from '@florin/contract/errors.ts';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../platform/caller.ts';
import { networkOf } from '../platform/rates/network-of.ts';
import { createQuota, type Quota, type QuotaPolicy } from '../platform/rates/quota.ts';

/**
 * Rate limits of this process. Every function except `exempt` writes the headers `RateLimit-Policy` and
 * `RateLimit` (draft-ietf-httpapi-ratelimit-headers). Beyond a limit they throw `rate_limited` (429).
 */
export interface RateLimits {
  /** Counts a request with a valid key: for the key, and for all keys of its merchant and mode. */
  countKey(reply: FastifyReply, caller: Pick<Caller, 'token_id' | 'scope'>): void;
  /** Counts a request without a valid key, by its IP address. */
  countAnonymous(reply: FastifyReply, ip: string): void;
  /** Removes the request from the count of its address, since its key was valid. */
  exempt(ip: string): void;
  /** Counts a request for a public document, by its IP address. */
  countReader(reply: FastifyReply, ip: string): void;
  /** Counts the page of a card form, by its IP address. */
  countForm(reply: FastifyReply, ip: string): void;
  /** Counts a call of a card form, by its IP address. */
  countFormCall(reply: FastifyReply, ip: string): void;
  /** Counts a request for health or metrics, by its IP address. */
  countProbe(reply: FastifyReply, ip: string): void;
}

/** Burst of a key: the requests of this many seconds at its sustained rate. */
const BURST_SECONDS = 5;
/** All keys of a merchant and mode together may send this multiple of one key's limit. */
const MERCHANT_FACTOR = 4;
/** Requests of one address without a valid key, or for public documents: a burst of 30, then one per second. */
const ANONYMOUS_POLICY: QuotaPolicy = { requests: 30, seconds: 30 };
/** Card forms of one address. An office or a call centre shares an address. */
const FORM_POLICY: QuotaPolicy = { requests: 240, seconds: 60 };
/** Calls of the card forms of one address. Each waiting form asks for its outcome every second. */
const FORM_CALL_POLICY: QuotaPolicy = { requests: 3_000, seconds: 60 };
/** Probes of one address. Load balancers and Prometheus send one every few seconds. */
const PROBE_POLICY: QuotaPolicy = { requests: 600, seconds: 60 };

export interface RateLimitOptions {
  /** Sustained requests per second of one key; null: no limit. */
  readonly rate_limit: number | null;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic_ms: () => number;
}

const unlimited: RateLimits = {
  countKey() {},
  countAnonymous() {},
  exempt() {},
  countReader() {},
  countForm() {},
  countFormCall() {},
  countProbe() {},
};

export function createRateLimits({ rate_limit, monotonic_ms }: RateLimitOptions): RateLimits {
  if (rate_limit === null) return unlimited;
  const createLimit = (name: string, policy: QuotaPolicy, subject: string): Limit => ({
    name,
    policy,
    subject,
    quota: createQuota({ ...policy, monotonic_ms }),
  });
  const policyForKeys = (keys: number): QuotaPolicy => ({
    requests: keys * rate_limit * BURST_SECONDS,
    seconds: BURST_SECONDS,
  });
  const countKeyRequest = createCounter([
    createLimit('default', policyForKeys(1), 'This key'),
    createLimit('merchant', policyForKeys(MERCHANT_FACTOR), 'This merchant, with all its keys,'),
  ]);
  const anonymousLimit = createLimit(
    'unauthorized',
    ANONYMOUS_POLICY,
    'This address, without a valid key,',
  );
  const countAnonymousRequest = createCounter([anonymousLimit]);
  /** Counts requests of an address without a key. */
  const countAddress = (name: string, policy: QuotaPolicy) => {
    const count = createCounter([createLimit(name, policy, 'This address')]);
    return (reply: FastifyReply, ip: string): void => count(reply, [networkOf(ip)]);
  };
  return {
    countKey: (reply, { token_id, scope: { merchant_id, mode } }) =>
      countKeyRequest(reply, [token_id, `${merchant_id} ${mode}`]),
    countAnonymous: (reply, ip) => countAnonymousRequest(reply, [networkOf(ip)]),
    exempt: (ip) => anonymousLimit.quota.release(networkOf(ip)),
    countReader: countAddress('documents', ANONYMOUS_POLICY),
    countForm: countAddress('forms', FORM_POLICY),
    countFormCall: countAddress('form_calls', FORM_CALL_POLICY),
    countProbe: countAddress('health', PROBE_POLICY),
  };
}

/** A rate limit with its current usage. */
interface Limit {
  readonly name: string;
  readonly policy: QuotaPolicy;
  /** Subject of the sentence that refuses a request. */
  readonly subject: string;
  readonly quota: Quota;
}

/**
 * Counts a request under every limit, each with the key at the same index of `keys`. A refused request
 * counts under none.
 */
function createCounter(limits: readonly Limit[]) {
  const policies = limits.map(policyText).join(', ');
  return (reply: FastifyReply, keys: readonly string[]): void => {
    reply.header('ratelimit-policy', policies);
    let header = '';
    limits.forEach((limit, at) => {
      const { granted, remaining, wait_ms } = limit.quota.take(keys[at] as string);
      const waitSeconds = wholeSeconds(wait_ms);
      header += `${at > 0 ? ', ' : ''}"${limit.name}";r=${remaining};t=${waitSeconds}`;
      reply.header('ratelimit', header);
      if (granted) return;
      for (let earlierIndex = 0; earlierIndex < at; earlierIndex++) {
        limits[earlierIndex]?.quota.release(keys[earlierIndex] as string);
      }
      throw tooMany(limit, waitSeconds);
    });
  };
}

const policyText = ({ name, policy }: Limit): string =>
  `"${name}";q=${policy.requests};w=${policy.seconds}`;

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const tooMany = (
  { name, subject, policy: { requests, seconds } }: Limit,
  waitSeconds: number,
): Error =>
  problem(
    'rate_limited',
    `${subject} sent too many requests. Try again in ${waitSeconds} s.`,
    undefined,
    {
      headers: { 'retry-after': String(waitSeconds) },
      meta: {
        policy: name,
        quota: requests,
        window_seconds: seconds,
        retry_after_seconds: waitSeconds,
      },
    },
  );
