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
}

/** Burst of a key: the requests of this many seconds at its sustained rate. */
const BURST_SECONDS = 5;
/** All keys of a merchant and mode together may send this multiple of one key's limit. */
const MERCHANT_FACTOR = 4;
/** Requests of one address without a valid key, or for public documents: a burst of 30, then one per second. */
const ANONYMOUS_POLICY: QuotaPolicy = { requests: 30, seconds: 30 };

export interface RateLimitOptions {
  /** Sustained requests per second of one key; null: no limit. */
  readonly rate_limit: number | null;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic_ms: () => number;
}

const unlimited: RateLimits = { countKey() {}, countAnonymous() {}, exempt() {}, countReader() {} };

export function createRateLimits({ rate_limit, monotonic_ms }: RateLimitOptions): RateLimits {
  if (rate_limit === null) return unlimited;
  const make = (name: string, policy: QuotaPolicy, who: string): Limit => ({
    name,
    policy,
    who,
    quota: createQuota({ ...policy, monotonic_ms }),
  });
  const ofKeys = (keys: number): QuotaPolicy => ({
    requests: keys * rate_limit * BURST_SECONDS,
    seconds: BURST_SECONDS,
  });
  const ofKey = counter([
    make('default', ofKeys(1), 'This key'),
    make('merchant', ofKeys(MERCHANT_FACTOR), 'This merchant, with all its keys,'),
  ]);
  const anonymous = make('unauthorized', ANONYMOUS_POLICY, 'This address, without a good key,');
  const ofAnonymous = counter([anonymous]);
  const ofReader = counter([make('documents', ANONYMOUS_POLICY, 'This address')]);
  return {
    countKey: (reply, { token_id, scope: { merchant_id, mode } }) =>
      ofKey(reply, [token_id, `${merchant_id} ${mode}`]),
    countAnonymous: (reply, ip) => ofAnonymous(reply, [networkOf(ip)]),
    exempt: (ip) => anonymous.quota.release(networkOf(ip)),
    countReader: (reply, ip) => ofReader(reply, [networkOf(ip)]),
  };
}

/** A rate limit with its current usage. */
interface Limit {
  readonly name: string;
  readonly policy: QuotaPolicy;
  /** Subject of the sentence that refuses a request. */
  readonly who: string;
  readonly quota: Quota;
}

/**
 * Counts a request under every limit, each with the key at the same index of `whose`. A refused request
 * counts under none.
 */
function counter(limits: readonly Limit[]) {
  const policies = limits.map(policyText).join(', ');
  return (reply: FastifyReply, whose: readonly string[]): void => {
    reply.header('ratelimit-policy', policies);
    let header = '';
    limits.forEach((limit, at) => {
      const { granted, remaining, wait_ms } = limit.quota.take(whose[at] as string);
      const wait = wholeSeconds(wait_ms);
      header += `${at > 0 ? ', ' : ''}"${limit.name}";r=${remaining};t=${wait}`;
      reply.header('ratelimit', header);
      if (granted) return;
      for (let before = 0; before < at; before++) {
        limits[before]?.quota.release(whose[before] as string);
      }
      throw tooMany(limit, wait);
    });
  };
}

const policyText = ({ name, policy }: Limit): string =>
  `"${name}";q=${policy.requests};w=${policy.seconds}`;

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const tooMany = ({ name, who, policy: { requests, seconds } }: Limit, wait: number): Error =>
  problem('rate_limited', `${who} has made too many requests. Try again in ${wait} s.`, undefined, {
    headers: { 'retry-after': String(wait) },
    meta: { policy: name, quota: requests, window_seconds: seconds, retry_after_seconds: wait },
  });
