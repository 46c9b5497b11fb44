import type { IngestRequest } from '@florin/contract/protocol/vault.ts';
import type { ClearCard } from '../cards/clear-card.ts';
import { type Cryptogram, packCryptogram, readCryptogram } from '../cards/cryptogram.ts';
import type { Purpose } from '../cards/record.ts';
import type { Seal } from '../cards/seal-store.ts';
import type { Input } from '../http/input.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { SealingKeys } from '../keys/sealing-keys.ts';
import { checkExpiry, checkNumber } from './check-card.ts';
import { checkSeal } from './claims.ts';
import { claimRefusal, openSealed } from './open-sealed.ts';

type NetworkTokenSource = Extract<IngestRequest['source'], { kind: 'network_token' }>;

const NAME = 'network_token_jwe';
/** Session of all network tokens: a merchant who repeats a request gets its first result. */
const SESSION = 'network_token';

const refuse = (fault: string): VaultRefusal =>
  new VaultRefusal('network_token_unreadable', `${NAME} ${fault}.`);

const TYPES: Readonly<Record<string, readonly [type: string, rule: string]>> = {
  number: ['string', 'a text of digits'],
  expiry_month: ['number', 'a number from 1 to 12'],
  expiry_year: ['number', 'a number of four digits'],
};

/** Network token that a merchant encrypted for the vault. Throws `VaultRefusal`. */
export async function openNetworkToken(
  keys: SealingKeys,
  scope: Scope,
  { jwe }: NetworkTokenSource,
  now: number,
): Promise<ClearCard> {
  const claims = await openSealed(keys, NAME, jwe, { mode: scope.mode });
  if (claims.merchant_id === undefined)
    throw claimRefusal(NAME, claims, 'merchant_id', 'your own id');
  // A stolen JWE is useless to other merchants.
  if (claims.merchant_id !== scope.merchant_id)
    throw refuse('was encrypted for another merchant. Its `merchant_id` must be your own');
  checkTypes(claims);
  const seal = checkSeal(NAME, claims, SESSION, now);
  const cryptogram = cryptogramOf(claims);
  return {
    number: checkNumber(claims.number),
    ...checkExpiry(claims.expiry_month, claims.expiry_year, now),
    network_token: true,
    seal: sealOf(scope, seal, 'pan'),
    ...(cryptogram && {
      cryptogram: { text: packCryptogram(cryptogram), seal: sealOf(scope, seal, 'cryptogram') },
    }),
  };
}

function checkTypes(claims: Input): void {
  for (const [claim, [type, rule]] of Object.entries(TYPES))
    if (typeof claims[claim] !== type) throw claimRefusal(NAME, claims, claim, rule);
}

function cryptogramOf({ cryptogram, eci }: Input): Cryptogram | undefined {
  if (cryptogram === undefined && eci === undefined) return undefined;
  return readCryptogram(cryptogram, eci, (member) => refuse(complaints[member]));
}

const complaints = {
  cryptogram: 'needs `cryptogram` as 20 to 512 characters of base64, or neither cryptogram nor eci',
  eci: 'has an `eci` that is not a text of one or two digits',
} as const;

/** Merchants choose their own ids, so the seal contains merchant and mode. */
const sealOf = ({ merchant_id, mode }: Scope, seal: Seal, purpose: Purpose): Seal => ({
  ...seal,
  replayedDetail: `${NAME}: \`jti\` was already used with another token or cryptogram. Use a new one for each token and cryptogram.`,
  jti: [SESSION, mode, merchant_id, purpose, seal.jti].join(':'),
});
