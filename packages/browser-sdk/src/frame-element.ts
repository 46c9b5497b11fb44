import type { ColorScheme, FormFactor } from '@florin/contract/protocol/frame.ts';

/** Initial height of each form in CSS pixels, so that the page does not jump. */
const INITIAL_HEIGHT: Readonly<Record<FormFactor, number>> = { inputs: 197, embedded: 619 };
const MAX_HEIGHT = 2_000;

/** Without `allow-top-navigation`, so that the frame cannot navigate the shop's page. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
const ALLOW = 'payment; publickey-credentials-get; otp-credentials';

/** Creates the form's iframe. Styles are set by script, which the strictest style policy of a shop allows. */
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
  // Browsers make a frame transparent only if its color scheme equals that of its document.
  frame.style.cssText = `display:block;width:100%;border:0;padding:0;background:none;color-scheme:${colorScheme}`;
  setHeight(frame, INITIAL_HEIGHT[formFactor ?? 'inputs']);
  return frame;
}

/** Fits the frame to its content. Limits the height and ignores invalid values. */
export function setHeight(frame: HTMLIFrameElement, height: number): void {
  if (height > 0) frame.style.height = `${Math.min(Math.ceil(height), MAX_HEIGHT)}px`;
}

/**
 * Expands the frame to the full window, or restores it. The top layer escapes every ancestor; without it the frame
 * gets the window's height. The page keeps its scroll position.
 */
export function setOverlay(frame: HTMLIFrameElement, isOn: boolean): void {
  const parent = frame.parentElement;
  if (parent) parent.style.minHeight = isOn ? `${frame.offsetHeight}px` : '';
  frame.popover = isOn ? 'manual' : null;
  if (!isOn) return;
  frame.showPopover?.();
  frame.style.height = '100dvh';
}
