import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { AuthenticationAnswer, CardRangeAnswer } from '@florin/contract/protocol/network.ts';
import { authenticate } from '../authenticate.ts';
import { parseAuthentication, parseCardRange } from '../parse.ts';
import type { BehaviourOf } from './behaviours.ts';
import type { Challenges } from './challenges.ts';

export interface DirectoryDeps {
  readonly challenges: Challenges;
  readonly behaviourOf: BehaviourOf;
  /** Origin of the bank's pages. */
  readonly acsUrl: () => string;
}

/** Directory server: lists the enrolled cards and forwards authentications to their issuer. */
export interface Directory {
  lookUp(body: unknown): CardRangeAnswer;
  /** `lookUp` and `authenticate` throw `BadRequest` for an invalid body. */
  authenticate(body: unknown): AuthenticationAnswer;
}

export const createDirectory = ({ challenges, behaviourOf, acsUrl }: DirectoryDeps): Directory => ({
  lookUp(body) {
    const request = parseCardRange(body);
    const { result, method = 'ok' } = behaviourOf(request);
    const enrolled = result ? result !== 'not_enrolled' : isEnrolled(request.bin);
    return { enrolled, ...(enrolled && { method_url: `${acsUrl()}/method/${method}` }) };
  },
  authenticate(body) {
    const request = parseAuthentication(body);
    const behaviour = behaviourOf(request);
    const answer = authenticate(request, behaviour);
    const { trans_status, acs_trans_id } = answer;
    if (trans_status !== 'C' || !acs_trans_id || !request.browser) return answer;
    const page = behaviour.challenge ?? 'code';
    challenges.create(request, { acs_trans_id, page });
    return { ...answer, acs_url: `${acsUrl()}/challenge/${page}` };
  },
});

const isEnrolled = (bin: string): boolean =>
  sandboxCards.some(({ number, threeds }) => number.startsWith(bin) && threeds !== 'not_enrolled');
