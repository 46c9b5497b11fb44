import type { ChallengeInvitation, VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { Texts } from '../texts.ts';
import type { BankApi } from './bank-api.ts';
import { type FrameState, isIsolated } from './bank-frame.ts';
import { createChallengeView } from './challenge-view.ts';
import type { Overlay } from './overlay.ts';

const POLL_MS = 1_000;
/** Share of the time limit after which the link to a new tab appears, because the page may be invisible. */
const OFFER_SHARE = 1 / 3;

export interface ChallengeOptions {
  readonly api: BankApi;
  readonly overlay: Overlay;
  readonly text: Texts;
  /** Time for the bank's page to appear, in milliseconds. */
  readonly appear_limit_ms: number;
}

/**
 * Shows the bank's page until the server knows the result. Messages of the page itself do not count.
 * A page that refuses frames opens in a new tab while the form waits. An aborted signal cancels the challenge.
 * Resolves to undefined if the cancellation gets no response.
 */
export async function goThroughChallenge(
  { api, overlay, text, appear_limit_ms }: ChallengeOptions,
  { authentication, page_url, tab_url }: ChallengeInvitation,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  let end: (answer: VerifyAnswer | undefined) => void = () => {};
  const ending = new Promise<VerifyAnswer | undefined>((resolve) => {
    end = resolve;
  });
  const finish = (answer: VerifyAnswer | undefined): void => {
    if (answer && answer.result !== 'challenge') end(answer);
  };
  const cancel = async (reason: 'cardholder' | 'not_shown'): Promise<void> =>
    finish(await api.cancel(authentication, reason));
  const ask = async (): Promise<void> => finish(await api.challenge(authentication));
  const onCancel = (): void => void cancel('cardholder');

  const appearTimer = setTimeout(() => void cancel('not_shown'), appear_limit_ms);
  const onAlone = (): void => clearTimeout(appearTimer);
  const view = createChallengeView({ text, tab_url, onCancel, onMove, onAlone });
  // Browsers do not report a blocked page, so the cardholder gets a link to open the page in a tab.
  const offer = setTimeout(view.offerTab, appear_limit_ms * OFFER_SHARE);
  const close = overlay.show(view.root, text('challenge_title'), onCancel);
  const poll = setInterval(() => void ask(), POLL_MS);
  // Timers of background tabs are delayed. This listener polls as soon as the cardholder returns from the bank's tab.
  document.addEventListener('visibilitychange', ask);
  const abort = (): void => void cancel('cardholder').finally(() => end(undefined));
  signal.addEventListener('abort', abort, { once: true });

  function onMove(where: FrameState): void {
    if (where === 'refused') view.showAlone();
    if (where !== 'leaving') clearTimeout(appearTimer);
    if (where === 'back') {
      view.showReturn();
      void ask();
    }
  }

  try {
    if (isIsolated()) view.showAlone();
    else await view.showFrame(page_url);
    return await ending;
  } finally {
    clearTimeout(appearTimer);
    clearTimeout(offer);
    clearInterval(poll);
    document.removeEventListener('visibilitychange', ask);
    signal.removeEventListener('abort', abort);
    close();
  }
}
