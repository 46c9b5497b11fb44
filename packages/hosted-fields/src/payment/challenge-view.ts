import { challengeWindows, windowFor } from '@florin/contract/protocol/threeds.ts';
import { element } from '../form/element.ts';
import type { Texts } from '../texts.ts';
import { createBankFrame, type FrameState } from './bank-frame.ts';

/** Time in milliseconds that the surrounding page has to expand the frame. */
const GROW_MS = 300;

export interface ChallengeViewOptions {
  readonly text: Texts;
  /** URL of the bank's page for a new tab. */
  readonly tab_url: string;
  onCancel(): void;
  /** Called with the frame's location after every load. */
  onMove(where: FrameState): void;
  /** Called when the bank's page moves from the frame to a tab. The tab has no time limit to appear. */
  onAlone(): void;
}

/** The bank's page with buttons of the form around it, because a bank's page may have no buttons or stay blank. */
export interface ChallengeView {
  readonly root: HTMLElement;
  showFrame(page_url: string): Promise<void>;
  /** Shows that the bank has redirected the browser back. The result arrives separately. */
  showReturn(): void;
  /** Shows the link that opens the bank's page in a new tab. */
  offerTab(): void;
  /** Removes the frame and leaves only the link to the new tab. */
  showAlone(): void;
}

export function createChallengeView({
  text,
  tab_url,
  onCancel,
  onMove,
  onAlone,
}: ChallengeViewOptions): ChallengeView {
  const title = text('challenge_title');
  const frame = createBankFrame(title, onMove);
  const cancel = element('button', { type: 'button', class: 'leave' }, text('cancel'));
  cancel.addEventListener('click', onCancel);
  // `noopener`: the bank's page gets no reference to the form and cannot navigate it.
  const tab = { href: tab_url, target: '_blank', rel: 'noopener' };
  const link = element('a', { ...tab, hidden: '' }, text('challenge_open'));
  const hint = element('p', { role: 'status' });
  const stage = element('div', { class: 'stage' }, frame, hint, link);
  const showAlone = (): void => {
    frame.remove();
    hint.textContent = text('challenge_alone');
    link.className = 'pay';
    link.hidden = false;
    onAlone();
  };
  link.addEventListener('click', showAlone);
  return {
    root: element(
      'div',
      { class: 'challenge' },
      element('div', { class: 'bar' }, element('strong', {}, title), cancel),
      stage,
    ),
    /** Waits until the frame is expanded, because its size selects the challenge window size. */
    async showFrame(page_url) {
      await afterGrowth();
      const name = windowFor(stage.clientWidth, stage.clientHeight);
      const [width, height] = challengeWindows[name];
      frame.width = `${width ?? '100%'}`;
      frame.height = `${height ?? '100%'}`;
      frame.addEventListener('load', () => frame.focus(), { once: true });
      frame.src = `${page_url}?window=${name}`;
    },
    showReturn() {
      frame.hidden = true;
      link.hidden = true;
      stage.setAttribute('aria-busy', 'true');
    },
    offerTab() {
      link.hidden = frame.hidden;
    },
    showAlone() {
      showAlone();
      link.focus();
    },
  };
}

const afterGrowth = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, GROW_MS));
