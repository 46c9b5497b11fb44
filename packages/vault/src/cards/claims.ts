import type { Scope } from '../kernel/scope.ts';
import type { Fingerprint } from '../keys/fingerprints.ts';
import type { Db } from '../store/db.ts';
import type { ClearCard } from './clear-card.ts';
import type { Purpose } from './record.ts';
import { type ClaimedToken, claimSeal, type Seal } from './seal-store.ts';
import { createToken } from './token.ts';

/** Tokens of the values of a card. */
export interface Claims {
  readonly pan: ClaimedToken;
  readonly cvv?: ClaimedToken;
  readonly cryptogram?: ClaimedToken;
}

interface Value {
  readonly purpose: Purpose;
  /** Absent if the value was sent unencrypted. */
  readonly seal?: Seal | undefined;
}

/**
 * Claims the seals of a card in the order of their ids, so that two entries with the same ids cause no deadlock. Throws the `replayedCode` of a seal that another merchant or session used.
 */
export async function claimSeals(
  context: Scope & { readonly tx: Db },
  card: ClearCard,
  markOf: Fingerprint,
): Promise<Claims> {
  const { cvv, cryptogram } = card;
  const values: readonly Value[] = [
    { purpose: 'pan', seal: card.seal },
    ...(cvv ? [{ purpose: 'cvv', seal: cvv.seal } as const] : []),
    ...(cryptogram
      ? [{ purpose: 'cryptogram', seal: sealOfCryptogram(card, markOf) } as const]
      : []),
  ];
  const claims = new Map<Purpose, ClaimedToken>();
  for (const { purpose, seal } of values.toSorted(byId))
    claims.set(purpose, await claimToken(context, purpose, seal));
  return Object.fromEntries(claims) as unknown as Claims;
}

const byId = ({ seal: one }: Value, { seal: other }: Value): number =>
  (one?.jti ?? '') < (other?.jti ?? '') ? -1 : 1;

const claimToken = async (
  { tx, merchant_id, mode }: Scope & { readonly tx: Db },
  purpose: Purpose,
  seal: Seal | undefined,
): Promise<ClaimedToken> =>
  seal
    ? claimSeal(tx, { merchant_id, mode }, purpose, seal)
    : { token: createToken(purpose), isNew: true };

/** Binds the id of a network token to its cryptogram: another one under that id is refused, not dropped. */
function sealOfCryptogram(
  { network_token, cryptogram }: ClearCard,
  markOf: Fingerprint,
): Seal | undefined {
  if (!network_token || !cryptogram?.seal) return cryptogram?.seal;
  const mark = markOf(`cryptogram:${cryptogram.text}`);
  return { ...cryptogram.seal, sid: `${cryptogram.seal.sid}:${mark}` };
}
