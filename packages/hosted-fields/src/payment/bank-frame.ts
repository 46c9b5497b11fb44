import { ISOLATED_PARAMETER } from '@florin/contract/protocol/frame.ts';
import { element } from '../form/element.ts';

/** A page of the bank sees and moves nothing around it: no popups, no dialogs, no navigation but its own. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/** Where a frame is: still on our own way to the bank, at the bank, or back. */
export type Whereabouts = 'leaving' | 'away' | 'back';

/** A frame for the bank's page behind an address of ours; `onMove` tells where it is whenever it has loaded. */
export function createBankFrame(
  title: string,
  onMove: (where: Whereabouts) => void,
): HTMLIFrameElement {
  const frame = element('iframe', { title, sandbox: SANDBOX, referrerpolicy: 'origin' });
  // Inside an isolated shop the bank's page, which knows nothing of isolation, is shown without its cookies.
  if (location.search.includes(`${ISOLATED_PARAMETER}=true`)) {
    frame.setAttribute('credentialless', '');
  }
  frame.addEventListener('load', () => onMove(whereIs(frame)));
  return frame;
}

function whereIs({ contentWindow }: HTMLIFrameElement): Whereabouts {
  try {
    // Only a page of our own origin can be looked at.
    return contentWindow?.location.pathname.endsWith('/done') ? 'back' : 'leaving';
  } catch {
    return 'away';
  }
}
