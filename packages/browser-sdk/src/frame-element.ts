import type { ColorScheme, FormFactor } from '@florin/contract/protocol/frame.ts';

/** Initial heights of the forms in CSS pixels, so that the page does not jump. */
const INPUTS_HEIGHT = 197;
const EMBEDDED_HEIGHT = 619;
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
  frame.sandbox = SANDBOX;
  // Browsers make a frame transparent only if its color scheme equals that of its document.
  frame.style.cssText = `display:block;width:100%;border:0;padding:0;background:none;color-scheme:${colorScheme}`;
  setHeight(frame, formFactor === 'embedded' ? EMBEDDED_HEIGHT : INPUTS_HEIGHT);
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

/** Does what browsers do for Enter in a field of a form: presses its first submit button, unless that is disabled. */
export function pressDefaultButton(frame: HTMLIFrameElement): void {
  const controls = [...(frame.closest('form')?.elements ?? [])] as HTMLButtonElement[];
  controls.find(({ type }) => type === 'submit')?.click();
}
