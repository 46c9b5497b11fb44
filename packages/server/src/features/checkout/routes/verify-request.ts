import {
  type BrowserFacts,
  isAttempt,
  type VerifyRequest,
  type WalletRequest,
} from '@florin/contract/protocol/frame.ts';
import { WALLET_TOKEN_BYTES_MAX } from '@florin/contract/protocol/vault.ts';
import type { FastifyRequest } from 'fastify';
import type { BrowserHeaders } from '../threeds/query-bank.ts';

const TEXT_MAX = 8_192;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= TEXT_MAX;

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Parses the body of a verify request. Undefined if malformed. */
export function parseVerifyRequest(body: unknown): VerifyRequest | undefined {
  if (!isMembers(body)) return undefined;
  const { pan_jwe, cvv_jwe } = body;
  const common = parseCommonMembers(body);
  if (!common || !isText(pan_jwe) || !isText(cvv_jwe)) return undefined;
  return { ...common, pan_jwe, cvv_jwe };
}

/** Parses the body of a wallet's verify request. Undefined if malformed. */
export function parseWalletRequest(body: unknown): WalletRequest | undefined {
  if (!isMembers(body)) return undefined;
  const { wallet, token, amount, currency } = body;
  const common = parseCommonMembers(body);
  if (!common || !isText(amount) || !isText(currency)) return undefined;
  if (wallet !== 'apple_pay' && wallet !== 'google_pay') return undefined;
  if (typeof token !== 'string' || Buffer.byteLength(token) > WALLET_TOKEN_BYTES_MAX)
    return undefined;
  return { ...common, wallet, token, amount, currency };
}

/** Parses the members that cards and wallets share. Undefined if malformed. */
function parseCommonMembers(body: Members): Omit<VerifyRequest, 'pan_jwe' | 'cvv_jwe'> | undefined {
  const { session, timezone, authentication, attempt } = body;
  if (!isText(session) || !isText(timezone)) return undefined;
  const browser = parseBrowserFacts(body.browser);
  return {
    session,
    timezone,
    ...(isText(authentication) && { authentication }),
    ...(isAttempt(attempt) && { attempt }),
    ...(browser && { browser }),
  };
}

const LANGUAGE = /^[A-Za-z0-9-]{1,35}$/;
const SIZE_MAX = 999_999;
const ZONE_MAX = 15 * 60;

const isWithin = (value: unknown, max: number, min = 0): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

/**
 * Parses the form's facts about its browser. Undefined if a fact is missing: the issuer then cannot
 * show a challenge.
 */
function parseBrowserFacts(facts: unknown): BrowserFacts | undefined {
  if (!isMembers(facts)) return undefined;
  const { language, color_depth, screen_height, screen_width, tz } = facts;
  const sizes = [color_depth, screen_height, screen_width];
  if (!sizes.every((size) => isWithin(size, SIZE_MAX))) return undefined;
  if (!isWithin(tz, ZONE_MAX, -ZONE_MAX)) return undefined;
  if (typeof language !== 'string' || !LANGUAGE.test(language)) return undefined;
  return { language, color_depth, screen_height, screen_width, tz } as BrowserFacts;
}

const HEADER_MAX = 2_048;

/** Browser facts from the HTTP request, in the issuer's format. */
export const browserHeaders = ({ headers, ip }: FastifyRequest): BrowserHeaders => ({
  accept_header: (headers.accept ?? '*/*').slice(0, HEADER_MAX),
  user_agent: (headers['user-agent'] ?? '').slice(0, HEADER_MAX),
  ip,
});
