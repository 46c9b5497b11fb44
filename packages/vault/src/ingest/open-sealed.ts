import type { Mode } from '@florin/contract/protocol/vault.ts';
import { type CompactJWEHeaderParameters, compactDecrypt, decodeProtectedHeader } from 'jose';
import { type Input, isObject } from '../http/input.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { SEALING_ALG, SEALING_ENC, type SealingKeys } from '../keys/sealing-keys.ts';

/** The JWEs of an encrypted card and of a merchant's network token, as named in errors. */
export type SealedName = 'pan_jwe' | 'cvv_jwe' | 'network_token_jwe';

interface SealedKind {
  readonly typ: string;
  /** Begins the error codes. */
  readonly code: 'sealed_card' | 'network_token';
  readonly rule: string;
}

const card: SealedKind = {
  typ: 'card+jwe',
  code: 'sealed_card',
  rule: 'is not a readable sealed card',
};

const kinds: Readonly<Record<SealedName, SealedKind>> = {
  pan_jwe: card,
  cvv_jwe: card,
  network_token_jwe: {
    typ: 'network-token+jwe',
    code: 'network_token',
    rule: `cannot be opened. It must be a compact JWE with \`alg\` ${SEALING_ALG}, \`enc\` ${SEALING_ENC}, \`typ\` network-token+jwe and the \`kid\` of an encryption key of this mode`,
  },
};

/** Beginning of the error codes of a JWE. */
export const codeOf = (name: SealedName): SealedKind['code'] => kinds[name].code;

export const unreadableRefusal = (name: SealedName, cause?: unknown): VaultRefusal =>
  new VaultRefusal(`${codeOf(name)}_unreadable`, `${name} ${kinds[name].rule}.`, { cause });

/** Refusal of a claim. Only merchants learn the rule of their own JWE: a form's card keeps its vague error. */
export const claimRefusal = (
  name: SealedName,
  claims: Input,
  claim: string,
  rule: string,
): VaultRefusal => {
  if (kinds[name] === card) return unreadableRefusal(name);
  const fault = claims[claim] === undefined ? 'is missing. It must be' : 'must be';
  return new VaultRefusal(`${codeOf(name)}_unreadable`, `${name}: \`${claim}\` ${fault} ${rule}.`);
};

/** Mode and session in which an encrypted value is valid. Network tokens have no session. */
export interface SealedContext {
  readonly mode: Mode;
  readonly sid?: string;
}

/**
 * Decrypts a JWE of the hosted form or of a merchant, and returns its unchecked claims. Only the stored key chooses the
 * algorithms: other or additional header members are refused before any key is used.
 */
export async function openSealed(
  keys: SealingKeys,
  name: SealedName,
  jwe: string,
  context: SealedContext,
): Promise<Input> {
  const { kid, sid } = checkHeader(name, jwe);
  if (sid !== context.sid) {
    throw new VaultRefusal('wrong_session', `${name} was sealed for another session.`);
  }
  const key = await keys.privateKey(kid, context.mode);
  if (!key) throw unreadableRefusal(name);
  try {
    const { plaintext } = await compactDecrypt(jwe, key, {
      keyManagementAlgorithms: [SEALING_ALG],
      contentEncryptionAlgorithms: [SEALING_ENC],
    });
    const claims: unknown = JSON.parse(Buffer.from(plaintext).toString());
    plaintext.fill(0);
    if (isObject(claims)) return claims;
  } catch {
    // Without `cause`, because a parser's message quotes its input.
  }
  throw unreadableRefusal(name);
}

const HEADER_MEMBERS = new Set(['alg', 'enc', 'kid', 'typ', 'epk']);

function checkHeader(name: SealedName, jwe: string): { kid: string; sid: unknown } {
  const header = readHeader(name, jwe);
  const isExpected =
    header.alg === SEALING_ALG &&
    header.enc === SEALING_ENC &&
    header.typ === kinds[name].typ &&
    Object.keys(header).every((member) => HEADER_MEMBERS.has(member) || isSession(name, member));
  if (!isExpected || typeof header.kid !== 'string') throw unreadableRefusal(name);
  return { kid: header.kid, sid: header.sid };
}

/** Only cards of a form belong to a session. */
const isSession = (name: SealedName, member: string): boolean =>
  member === 'sid' && kinds[name] === card;

function readHeader(name: SealedName, jwe: string): CompactJWEHeaderParameters {
  try {
    return decodeProtectedHeader(jwe) as CompactJWEHeaderParameters;
  } catch (cause) {
    throw unreadableRefusal(name, cause);
  }
}
