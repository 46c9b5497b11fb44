import { challengeWindows, windowFor } from '@florin/contract/protocol/threeds.ts';
import { element } from '../form/element.ts';
import type { Texts } from '../texts.ts';
import { createBankFrame, type FrameState } from './bank-frame.ts';

/** By then the surrounding page has expanded the frame. */
const GROW_MS = 300;

export interface ChallengeViewOptions {
  readonly text: Texts;
  /** Opens the bank's page in a new tab. */
  readonly tab_url: string;
  onCancel(): void;
  /** Reports the frame's state after every load. */
  onMove(where: FrameState): void;
  /** Called when the bank's page leaves the frame for a tab, where it may take its time. */
  onAlone(): void;
}

/** The bank's page with the form's own buttons around it, because a bank's page may have none or stay blank. */
export interface ChallengeView {
  readonly root: HTMLElement;
  showFrame(page_url: string): Promise<void>;
  /** The bank has redirected the browser back; its result arrives separately. */
  showReturn(): void;
  /** Adds the link that opens the bank's page in a new tab. */
  offerTab(): void;
  /** Leaves only that link. */
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
  // The opened page gets no reference to this one and cannot navigate it.
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
    /** Waits for the expanded window, whose size selects the challenge window size. */
    async showFrame(page_url) {
      await grown();
      const name = windowFor(stage.clientWidth, stage.clientHeight);
      const [width, height] = challengeWindows[name];
      frame.width = `${width ?? '100%'}`;
      frame.height = `${height ?? '100%'}`;
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

const grown = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, GROW_MS));
