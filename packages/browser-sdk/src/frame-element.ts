import type { ColorScheme } from '@florin/contract/protocol/frame.ts';

/** Height of the form before it tells its own, in CSS pixels, so that the page does not jump. */
const INITIAL_HEIGHT = 200;
const MAX_HEIGHT = 2_000;

/** No `allow-top-navigation`: nothing inside the frame may take the shopper away from the shop. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
const ALLOW = 'payment; publickey-credentials-get; otp-credentials';

/** The iframe of the form. Styled by script, so that the strictest style policy of a shop allows it. */
export function createFrame(src: string, colorScheme: ColorScheme): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = src;
  frame.title = 'Card details';
  frame.allow = ALLOW;
  frame.referrerPolicy = 'origin';
  frame.setAttribute('sandbox', SANDBOX);
  // A frame is transparent only where its own scheme and its document's are the same.
  Object.assign(frame.style, { display: 'block', width: '100%', border: '0', colorScheme });
  setHeight(frame, INITIAL_HEIGHT);
  return frame;
}

/** Fits the frame to its content; what is no sensible height is ignored or cut. */
export function setHeight(frame: HTMLIFrameElement, height: number): void {
  if (height > 0) frame.style.height = `${Math.min(Math.ceil(height), MAX_HEIGHT)}px`;
}
