import { challengeWindows, windowFor } from '@florin/contract/protocol/threeds.ts';
import { element } from '../form/element.ts';
import type { Texts } from '../texts.ts';
import { createBankFrame, type Whereabouts } from './bank-frame.ts';

/** By then the page around the form has given it the window. */
const GROW_MS = 300;

export interface ChallengeViewOptions {
  readonly text: Texts;
  /** Leads to the bank in a tab of its own. */
  readonly tab_url: string;
  onCancel(): void;
  /** Where the frame is whenever it has loaded. */
  onMove(where: Whereabouts): void;
  /** The bank's page is no longer in the frame: the cardholder opens it elsewhere, and has as long as that takes. */
  onAlone(): void;
}

/** The bank's page with the ways out around it, which are ours: a bank's page may have none, or not be seen. */
export interface ChallengeView {
  readonly root: HTMLElement;
  showFrame(page_url: string): Promise<void>;
  /** The bank has sent the browser back; its result is on another way. */
  showReturn(): void;
  /** Adds the link that opens the bank's page in a tab of its own. */
  offerTab(): void;
  /** Leaves nothing but that link. */
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
  // What is opened knows nothing of the page that opened it, and cannot lead it anywhere.
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
    /** Waits until the window is there, as its size decides which of its sizes the bank's page takes. */
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
