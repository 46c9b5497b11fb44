import { problem } from '@florin/contract/errors.ts';
import type { FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import { createQuota, type QuotaPolicy, type Taken } from '../kernel/quota.ts';

/**
 * Limits requests in this process. Each function but `excuse` writes the answer's `RateLimit-Policy` and
 * `RateLimit` headers (draft-ietf-httpapi-ratelimit-headers) and throws `rate_limited` (429) beyond the limit.
 */
export interface RateLimits {
  /** Counts a request of a good key. */
  countKey(reply: FastifyReply, token_id: string): void;
  /** Counts a request that has not shown a good key, by the address it comes from. */
  countStranger(reply: FastifyReply, ip: string): void;
  /** The request of this address did show a good key. */
  excuse(ip: string): void;
}

/** What a key may do at once, in seconds of its rate. */
const BURST_SECONDS = 5;
/** Guesses of one address: thirty at once, then one a second. */
const STRANGER_POLICY: QuotaPolicy = { requests: 30, seconds: 30 };

export interface RateLimitOptions {
  /** Requests a second that one key may keep up; null where nothing is limited. */
  readonly rate_limit: number | null;
  /** Milliseconds that only ever grow. */
  readonly monotonic_ms: () => number;
}

export function createRateLimits({ rate_limit, monotonic_ms }: RateLimitOptions): RateLimits {
  if (rate_limit === null) return { countKey() {}, countStranger() {}, excuse() {} };
  const keyPolicy = { requests: rate_limit * BURST_SECONDS, seconds: BURST_SECONDS };
  const keys = createQuota({ ...keyPolicy, monotonic_ms });
  const strangers = createQuota({ ...STRANGER_POLICY, monotonic_ms });
  const tellKey = teller('default', keyPolicy, 'This key');
  const tellStranger = teller('unauthorized', STRANGER_POLICY, 'This address, without a good key,');
  return {
    countKey: (reply, token_id) => tellKey(reply, keys.take(token_id)),
    countStranger: (reply, ip) => tellStranger(reply, strangers.take(networkOf(ip))),
    excuse: (ip) => strangers.giveBack(networkOf(ip)),
  };
}

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** Writes what is left of a policy into an answer, or refuses the request. */
function teller(name: string, { requests, seconds }: QuotaPolicy, who: string) {
  const policy = `"${name}";q=${requests};w=${seconds}`;
  return (reply: FastifyReply, { granted, remaining, wait_ms }: Taken): void => {
    const wait = wholeSeconds(wait_ms);
    reply.header('ratelimit-policy', policy);
    reply.header('ratelimit', `"${name}";r=${remaining};t=${wait}`);
    if (granted) return;
    throw problem(
      'rate_limited',
      `${who} has made too many requests. Try again in ${wait} s.`,
      undefined,
      {
        headers: { 'retry-after': String(wait) },
        meta: { policy: name, quota: requests, window_seconds: seconds, retry_after_seconds: wait },
      },
    );
  };
}

const IPV6_NETWORK_PARTS = 4;

/** An IPv4 address, or the /64 of an IPv6 one: whoever has one address there has all of them. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts.slice(0, IPV6_NETWORK_PARTS).join(':');
}
