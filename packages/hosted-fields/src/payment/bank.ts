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

/** What the cardholder's bank has to do with a verification (3-D Secure). */
export interface Bank {
  /** The card number, as far as it is there. */
  typed(number: string): void;
  /** What a verification of this card is to say of the bank's look at the browser. */
  introduce(number: string): Promise<Pick<VerifyRequest, 'authentication' | 'browser'>>;
  /** Goes through the challenge, where the answer is one, to the answer behind it. */
  follow(answer: VerifyAnswer, signal: AbortSignal): Promise<VerifyAnswer | undefined>;
  /** Whether a challenge was left open when the form was left. */
  isWaiting(): boolean;
  /** What became of that challenge. */
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

/** Where cards are not authenticated. */
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
