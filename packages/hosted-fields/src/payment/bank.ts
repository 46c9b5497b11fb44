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

/** The cardholder's bank during a verification (3-D Secure). */
export interface Bank {
  /** The digits typed so far. */
  typed(number: string): void;
  /** Returns the part of the verification request that names the fingerprint of this card. */
  introduce(number: string): Promise<Pick<VerifyRequest, 'authentication' | 'browser'>>;
  /** Runs the challenge if the answer requires one, and returns the answer after it. */
  follow(answer: VerifyAnswer, signal: AbortSignal): Promise<VerifyAnswer | undefined>;
  /** Whether a challenge was open when the form was left. */
  isWaiting(): boolean;
  /** Returns the outcome of that challenge. */
  resume(signal: AbortSignal): Promise<VerifyAnswer | undefined>;
}

export interface BankOptions {
  readonly config: FrameConfig;
  readonly overlay: Overlay;
  readonly text: Texts;
}

export function createBank({ config, overlay, text }: BankOptions): Bank {
  const { threeds } = config;
  if (!threeds) return nobody;
  const api = createBankApi(config, threeds);
  const fingerprint = createFingerprint(api, threeds);
  const { appear_limit_ms } = threeds;
  let { waiting } = threeds;
  const goThrough = (challenge: ChallengeInvitation, signal: AbortSignal) =>
    goThroughChallenge({ api, overlay, text, appear_limit_ms }, challenge, signal);

  return {
    typed: (number) => fingerprint.look(number),
    async introduce(number) {
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

/** For forms that do not authenticate cards. */
const nobody: Bank = {
  typed: () => {},
  introduce: async () => ({}),
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
