import { ISOLATED_PARAMETER } from '@florin/contract/protocol/frame.ts';
import { element } from '../form/element.ts';

/** A page of the bank sees and moves nothing around it: no popups, no dialogs, no navigation but its own. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/** Where a frame is: still on our own way to the bank, kept out by it, at the bank, or back. */
export type Whereabouts = 'leaving' | 'refused' | 'away' | 'back';

/** Whether the page around the form is cross-origin isolated: pages that know nothing of that cannot be shown in it. */
export const isIsolated = (): boolean => location.search.includes(`${ISOLATED_PARAMETER}=true`);

/** A frame for the bank's page behind an address of ours; `onMove` tells where it is whenever it has loaded. */
export function createBankFrame(
  title: string,
  onMove: (where: Whereabouts) => void,
): HTMLIFrameElement {
  const frame = element('iframe', { title, sandbox: SANDBOX, referrerpolicy: 'origin' });
  // A page without cookies is let in nevertheless, which is enough for one that only looks at the browser.
  if (isIsolated()) frame.setAttribute('credentialless', '');
  frame.addEventListener('load', () => onMove(whereIs(frame)));
  return frame;
}

function whereIs({ contentWindow }: HTMLIFrameElement): Whereabouts {
  try {
    // Only a page of our own origin can be looked at.
    const path = contentWindow?.location.pathname ?? '';
    if (path.endsWith('/unframed')) return 'refused';
    return path.endsWith('/done') ? 'back' : 'leaving';
  } catch {
    return 'away';
  }
}
