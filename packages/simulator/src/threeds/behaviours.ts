import type { SandboxThreeds } from '@florin/contract/card/sandbox-cards.ts';
import type { AuthenticationRequest } from '@florin/contract/protocol/network.ts';
import type { SandboxAmountOf } from '@florin/contract/sandbox-amounts.ts';

/** Result of the issuer. The last three members have no test card of their own. */
export type IssuerResult = SandboxThreeds | 'unavailable' | 'attempted' | 'informational';

/** Behaviour of the bank's hidden method page: `slow` takes 11 s, `never` does not respond, `broken` fails. */
export type MethodPage = 'ok' | 'slow' | 'never' | 'broken';

/**
 * Behaviour of the bank's challenge.
 *
 * - `code`: asks for a code. `oob`: is approved on another device after 5 s.
 * - `hang`: shows no usable content and times out. `unreachable`: never responds.
 * - `unframeable`: forbids frames. `error`: ends with a protocol error.
 * - `late`: its result arrives after the browser has returned.
 * - `duplicate`: its result arrives twice, then a contradicting result.
 * - `hostile`: tries to take over the shop before it asks for a code.
 */
export type ChallengePage =
  | 'code'
  | 'oob'
  | 'hang'
  | 'unreachable'
  | 'unframeable'
  | 'error'
  | 'late'
  | 'duplicate'
  | 'hostile';

/** Differences from the authentication behaviour of the test card. */
export interface Behaviour {
  readonly result?: IssuerResult;
  readonly method?: MethodPage;
  readonly challenge?: ChallengePage;
}

/** Returns the behaviour for a request. `browser` is present for browser authentications only. */
export type BehaviourOf = (request: Pick<AuthenticationRequest, 'amount' | 'browser'>) => Behaviour;

const challengeWith = (challenge: ChallengePage): Behaviour => ({ result: 'challenge', challenge });

/** Amounts, in minor units, whose last four digits select a behaviour for every card. */
export const behaviourAmounts = {
  9801: { method: 'slow' },
  9802: { method: 'never' },
  9803: { method: 'broken' },
  9811: { result: 'frictionless' },
  9812: { result: 'rejected' },
  9813: challengeWith('code'),
  9814: { result: 'not_enrolled' },
  9815: { result: 'unattempted' },
  9816: { result: 'unavailable' },
  9817: { result: 'attempted' },
  9818: { result: 'informational' },
  9821: challengeWith('oob'),
  9822: challengeWith('hang'),
  9823: challengeWith('unreachable'),
  9824: challengeWith('unframeable'),
  9825: challengeWith('error'),
  9826: challengeWith('late'),
  9827: challengeWith('duplicate'),
  9828: challengeWith('hostile'),
} as const satisfies Readonly<Record<SandboxAmountOf<'authentication'>, Behaviour>>;

const LAST_FOUR_DIGITS = 10_000;

/** Default: the amount selects the behaviour, and a repeated request gets the same behaviour. */
export const behaviourOfAmount: BehaviourOf = ({ amount }) =>
  (behaviourAmounts as Readonly<Record<number, Behaviour>>)[amount % LAST_FOUR_DIGITS] ?? {};
