import type { AuthenticationRequest } from '@florin/contract/protocol/network.ts';
import { type AuthenticationSubject, describeOutcome } from '../authenticate.ts';
import type { ChallengePage } from './behaviours.ts';
import type { ResultSender } from './results.ts';

/** Maximum open challenges. Above this number the oldest challenge is dropped. */
const CHALLENGES_MAX = 1_000;
/** Time for the browser to open a challenge, and then to complete it, in milliseconds. */
const OPEN_MS = 30_000;
const ANSWER_MS = 10 * 60_000;
const HANG_MS = 30_000;
export const CHALLENGE_CODE = '123456';
const ATTEMPTS_MAX = 3;

/** A cardholder's challenge. Stored in memory only, with the card number, until it ends. */
export interface Challenge {
  readonly subject: AuthenticationSubject;
  readonly page: ChallengePage;
  readonly acs_trans_id: string;
  readonly notification_url: string;
  readonly results_url: string;
  readonly results_key: string;
  attempts: number;
  /** Result that was sent; set when the challenge ends. */
  outcome?: 'Y' | 'N' | 'U';
  timer?: NodeJS.Timeout;
}

export interface ChallengesOptions {
  readonly send: ResultSender;
  /** Factor for all delays; tests use a small one. */
  readonly pace: number;
}

export type Challenges = ReturnType<typeof createChallenges>;

/** Open challenges of the bank. Each challenge ends with one result for the directory server's client. */
export function createChallenges({ send, pace }: ChallengesOptions) {
  const openChallenges = new Map<string, Challenge>();

  function setTimer(challenge: Challenge, ms: number, cancelCode: '04' | '05'): void {
    clearTimeout(challenge.timer);
    challenge.timer = setTimeout(() => finish(challenge, 'U', cancelCode), ms * pace);
    challenge.timer.unref();
  }

  function finish(
    challenge: Challenge,
    outcome: 'Y' | 'N' | 'U',
    challenge_cancel?: '01' | '04' | '05' | '06',
  ): void {
    if (challenge.outcome) return;
    challenge.outcome = outcome;
    clearTimeout(challenge.timer);
    const { subject, results_url, results_key, page } = challenge;
    const result = {
      reference: subject.reference,
      ...describeOutcome(subject, outcome),
      ...(challenge_cancel && { challenge_cancel }),
    };
    void send({ url: results_url, key: results_key, result, page });
  }

  function evictOldest(): void {
    const [oldestId] = openChallenges.keys();
    if (openChallenges.size < CHALLENGES_MAX || oldestId === undefined) return;
    clearTimeout(openChallenges.get(oldestId)?.timer);
    openChallenges.delete(oldestId);
  }

  return {
    /** Opens the challenge of a request with a browser. A repeated request gets the same challenge. */
    create(
      { reference, amount, currency, card, browser }: AuthenticationRequest,
      { acs_trans_id, page }: { acs_trans_id: string; page: ChallengePage },
    ): void {
      if (!browser || openChallenges.has(acs_trans_id)) return;
      evictOldest();
      const { notification_url, results_url, results_key } = browser;
      const subject = { reference, number: card.number, amount, currency };
      const addresses = { notification_url, results_url, results_key };
      const challenge = { subject, page, acs_trans_id, ...addresses, attempts: 0 };
      openChallenges.set(acs_trans_id, challenge);
      setTimer(challenge, OPEN_MS, '05');
    },
    find: (acs_trans_id: string): Challenge | undefined => openChallenges.get(acs_trans_id),
    /** Starts the challenge when the browser arrives. A reload may call this again. */
    begin(challenge: Challenge): void {
      if (!challenge.outcome) {
        setTimer(challenge, challenge.page === 'hang' ? HANG_MS : ANSWER_MS, '04');
      }
    },
    /** Checks the cardholder's code. Returns whether the challenge has ended. */
    answer(challenge: Challenge, code: string): boolean {
      challenge.attempts += 1;
      if (code === CHALLENGE_CODE) finish(challenge, 'Y');
      else if (challenge.attempts >= ATTEMPTS_MAX) finish(challenge, 'N');
      return challenge.outcome !== undefined;
    },
    cancel: (challenge: Challenge): void => finish(challenge, 'N', '01'),
    approve: (challenge: Challenge): void => finish(challenge, 'Y'),
    breakOff: (challenge: Challenge): void => finish(challenge, 'U', '06'),
    attemptsLeft: ({ attempts }: Challenge): number => ATTEMPTS_MAX - attempts,
    close(): void {
      for (const { timer } of openChallenges.values()) clearTimeout(timer);
      openChallenges.clear();
    },
  };
}
