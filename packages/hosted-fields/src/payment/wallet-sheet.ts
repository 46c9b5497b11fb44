import {
  type SheetMessage,
  WALLET_SHEET_HELLO,
  type WalletPayment,
} from '@florin/contract/protocol/frame.ts';
import { element } from '../form/element.ts';
import type { Texts } from '../texts.ts';
import type { Overlay } from './overlay.ts';

/** The sheet creates tokens at its own origin. Popups, navigation and form posts are forbidden. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms';
/** Time for the sheet to appear, in milliseconds. */
const APPEAR_MS = 15_000;

export interface SheetOptions {
  readonly url: string;
  /** Name of the wallet. */
  readonly title: string;
  readonly overlay: Overlay;
  readonly text: Texts;
}

/**
 * Shows the sandbox's wallet sheet over the form. Accepts messages only over the sheet's own port.
 * Resolves to undefined when the cardholder closes the sheet or the signal is aborted. Throws an `Error` if the sheet
 * does not appear.
 */
export async function openSheet(
  { url, title, overlay, text }: SheetOptions,
  signal: AbortSignal,
): Promise<WalletPayment | undefined> {
  let resolve: (payment: WalletPayment | undefined) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const payment = new Promise<WalletPayment | undefined>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  const leave = (): void => resolve(undefined);
  const view = createView(url, title, text('cancel'), leave);
  const appearTimer = setTimeout(() => reject(new Error('The sheet does not appear.')), APPEAR_MS);
  const before = document.activeElement;

  const onGreeting = ({ source, origin, data }: MessageEvent): void => {
    const sheet = view.frame.contentWindow;
    if (!sheet || source !== sheet || origin !== new URL(url).origin) return;
    if (data !== WALLET_SHEET_HELLO) return;
    window.removeEventListener('message', onGreeting);
    clearTimeout(appearTimer);
    view.showSheet();
    const channel = new MessageChannel();
    channel.port1.onmessage = ({ data: message }: MessageEvent<SheetMessage>) =>
      resolve(message.t === 'paid' ? message : undefined);
    sheet.postMessage('', origin, [channel.port2]);
  };
  window.addEventListener('message', onGreeting);
  signal.addEventListener('abort', leave, { once: true });
  const close = overlay.show(view.root, title, leave);
  try {
    return await payment;
  } finally {
    clearTimeout(appearTimer);
    window.removeEventListener('message', onGreeting);
    signal.removeEventListener('abort', leave);
    close();
    if (before instanceof HTMLElement) before.focus();
  }
}

/** Creates the sheet, with the form's own cancel button until the sheet appears. */
function createView(url: string, title: string, cancel: string, onCancel: () => void) {
  const frame = element('iframe', { title, sandbox: SANDBOX, class: 'sheet' });
  // Passes the form's color scheme to the sheet in the fragment.
  frame.src = `${url}#${document.documentElement.style.colorScheme}`;
  const button = element('button', { type: 'button', class: 'leave' }, cancel);
  button.addEventListener('click', onCancel);
  const bar = element('div', { class: 'bar' }, element('strong', {}, title), button);
  const stage = element('div', { class: 'stage', 'aria-busy': 'true' }, frame);
  return {
    frame,
    root: element('div', { class: 'challenge' }, bar, stage),
    showSheet(): void {
      bar.remove();
      stage.removeAttribute('aria-busy');
      frame.focus();
    },
  };
}
