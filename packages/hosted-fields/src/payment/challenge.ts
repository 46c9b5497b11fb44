import type { ChallengeInvitation, VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { challengeWindows, windowFor } from '@florin/contract/protocol/threeds.ts';
import { element } from '../form/element.ts';
import type { Texts } from '../texts.ts';
import type { BankApi } from './bank-api.ts';
import { createBankFrame, type Whereabouts } from './bank-frame.ts';
import type { Overlay } from './overlay.ts';

const POLL_MS = 1_000;
/** How long the bank's page may take to appear. */
const APPEAR_MS = 15_000;
/** By then the page around the form has given it the window. */
const GROW_MS = 300;

export interface ChallengeOptions {
  readonly api: BankApi;
  readonly overlay: Overlay;
  readonly text: Texts;
}

/**
 * Shows the bank's page until the server knows what came of it: what the page itself says counts for nothing.
 * Once the signal is aborted the challenge is cancelled; undefined where no answer to that comes.
 */
export async function goThroughChallenge(
  options: ChallengeOptions,
  { authentication, page_url }: ChallengeInvitation,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  const { api, overlay, text } = options;
  let end: (answer: VerifyAnswer | undefined) => void = () => {};
  const ending = new Promise<VerifyAnswer | undefined>((resolve) => {
    end = resolve;
  });
  const settle = (answer: VerifyAnswer | undefined): void => {
    if (answer && answer.result !== 'challenge') end(answer);
  };
  const cancel = async (reason: 'cardholder' | 'not_shown'): Promise<void> =>
    settle(await api.cancel(authentication, reason));
  const ask = async (): Promise<void> => settle(await api.challenge(authentication));

  const view = createView(text, () => void cancel('cardholder'), onMove);
  const close = overlay.show(view.root, text('challenge_title'), () => void cancel('cardholder'));
  const appear = setTimeout(() => void cancel('not_shown'), APPEAR_MS);
  const poll = setInterval(() => void ask(), POLL_MS);
  const abort = (): void => void cancel('cardholder').finally(() => end(undefined));
  signal.addEventListener('abort', abort, { once: true });

  function onMove(where: Whereabouts): void {
    if (where !== 'leaving') clearTimeout(appear);
    if (where === 'back') {
      view.showReturn();
      void ask();
    }
  }

  try {
    await view.open(page_url);
    return await ending;
  } finally {
    clearTimeout(appear);
    clearInterval(poll);
    signal.removeEventListener('abort', abort);
    close();
  }
}

/** The bank's page with the way out above it, which is ours: a bank's page may have none. */
function createView(text: Texts, onCancel: () => void, onMove: (where: Whereabouts) => void) {
  const frame = createBankFrame(text('challenge_title'), onMove);
  const button = element('button', { type: 'button', class: 'leave' }, text('cancel'));
  button.addEventListener('click', onCancel);
  const bar = element(
    'div',
    { class: 'bar' },
    element('strong', {}, text('challenge_title')),
    button,
  );
  const stage = element('div', { class: 'stage' }, frame);
  const root = element('div', { class: 'challenge' }, bar, stage);
  return {
    root,
    /** Waits until the window is there, as its size decides which of its sizes the bank's page takes. */
    async open(page_url: string): Promise<void> {
      await grown();
      const name = windowFor(stage.clientWidth, stage.clientHeight);
      const [width, height] = challengeWindows[name];
      frame.width = `${width ?? '100%'}`;
      frame.height = `${height ?? '100%'}`;
      frame.src = `${page_url}?window=${name}`;
    },
    /** The bank has sent the browser back; its result is on another way. */
    showReturn(): void {
      frame.hidden = true;
      stage.setAttribute('aria-busy', 'true');
    },
  };
}

const grown = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, GROW_MS));
