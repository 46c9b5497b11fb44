import type { ColorScheme, FormFactor } from '@florin/contract/protocol/frame.ts';

/** Height of each form before it tells its own, in CSS pixels, so that the page does not jump. */
const INITIAL_HEIGHT: Readonly<Record<FormFactor, number>> = { inputs: 197, embedded: 619 };
const MAX_HEIGHT = 2_000;

/** No `allow-top-navigation`: nothing inside the frame may take the shopper away from the shop. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
const ALLOW = 'payment; publickey-credentials-get; otp-credentials';

/** The iframe of the form. Styled by script, so that the strictest style policy of a shop allows it. */
export function createFrame(
  src: string,
  formFactor: FormFactor | undefined,
  colorScheme: ColorScheme,
): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = src;
  frame.title = 'Card details';
  frame.allow = ALLOW;
  frame.referrerPolicy = 'origin';
  frame.setAttribute('sandbox', SANDBOX);
  // A frame is transparent only where its own scheme and its document's are the same.
  frame.style.cssText = `display:block;width:100%;border:0;padding:0;background:none;color-scheme:${colorScheme}`;
  setHeight(frame, INITIAL_HEIGHT[formFactor ?? 'inputs']);
  return frame;
}

/** Fits the frame to its content; what is no sensible height is ignored or cut. */
export function setHeight(frame: HTMLIFrameElement, height: number): void {
  if (height > 0) frame.style.height = `${Math.min(Math.ceil(height), MAX_HEIGHT)}px`;
}

/**
 * Gives the frame the whole window, or takes it back. In the top layer nothing of the page lies above it, and no
 * ancestor holds it in; a browser without one gives it the window's height. The page keeps its place.
 */
export function setOverlay(frame: HTMLIFrameElement, on: boolean): void {
  const place = frame.parentElement;
  if (place) place.style.minHeight = on ? `${frame.offsetHeight}px` : '';
  frame.popover = on ? 'manual' : null;
  if (!on) return;
  frame.showPopover?.();
  frame.style.height = '100dvh';
}
