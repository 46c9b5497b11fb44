import type {
  BrowserFacts,
  ChallengeInvitation,
  FrameConfig,
  VerifyAnswer,
  VerifyRequest,
} from '@florin/contract/protocol/frame.ts';
import type { Texts } from '../texts.ts';
import { createBankApi } from './bank-api.ts';
import { goThroughChallenge } from './challenge.ts';
import { createFingerprint } from './fingerprint.ts';
import type { Overlay } from './overlay.ts';

/** Communication with the cardholder's bank during a verification (3-D Secure). */
export interface Bank {
  /** Called with the digits typed up to now. */
  typed(number: string): void;
  /** Returns the part of the verification request that refers to this card's fingerprint. */
  prepare(number: string): Promise<Pick<VerifyRequest, 'authentication' | 'browser'>>;
  /**
   * Runs the challenge if the response requires one, and returns the response after it. Otherwise returns `answer`.
   */
  follow(answer: VerifyAnswer, signal: AbortSignal): Promise<VerifyAnswer | undefined>;
  /** Whether a challenge was open when the cardholder left the form. */
  isWaiting(): boolean;
  /** Returns the outcome of the challenge that was open when the cardholder left the form. */
  resume(signal: AbortSignal): Promise<VerifyAnswer | undefined>;
}

export interface BankOptions {
  readonly config: FrameConfig;
  readonly overlay: Overlay;
  readonly text: Texts;
}

export function createBank({ config, overlay, text }: BankOptions): Bank {
  const { threeds } = config;
  if (!threeds) return noBank;
  const api = createBankApi(config, threeds);
  const fingerprint = createFingerprint(api, threeds);
  const { appear_limit_ms } = threeds;
  let { waiting } = threeds;
  const goThrough = (challenge: ChallengeInvitation, signal: AbortSignal) =>
    goThroughChallenge({ api, overlay, text, appear_limit_ms }, challenge, signal);

  return {
    typed: (number) => fingerprint.prepare(number),
    async prepare(number) {
      const authentication = await fingerprint.take(number);
      return { browser: browserFacts(), ...(authentication && { authentication }) };
    },
    follow: async (answer, signal) =>
      answer.result === 'challenge' ? goThrough(answer.challenge, signal) : answer,
    isWaiting: () => waiting !== undefined,
    async resume(signal) {
      const challenge = waiting;
      waiting = undefined;
      return challenge && goThrough(challenge, signal);
    },
  };
}

/** Used by forms without 3-D Secure. */
const noBank: Bank = {
  typed: () => {},
  prepare: async () => ({}),
  follow: async (answer) => answer,
  isWaiting: () => false,
  resume: async () => undefined,
};

function browserFacts(): BrowserFacts {
  const { colorDepth, height, width } = screen;
  return {
    language: navigator.language,
    color_depth: colorDepth,
    screen_height: height,
    screen_width: width,
    tz: new Date().getTimezoneOffset(),
  };
}
