import { ISOLATED_PARAMETER } from '@florin/contract/protocol/frame.ts';
import { element } from '../form/element.ts';

/** The bank's page can neither see nor move its surroundings: no popups, dialogs or foreign navigation. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/** State of the frame: on the service's own redirect, blocked by the bank, at the bank, or back. */
export type FrameState = 'leaving' | 'refused' | 'away' | 'back';

/** Whether the surrounding page is cross-origin isolated. Pages that do not opt in cannot load in it. */
export const isIsolated = (): boolean => location.search.includes(`${ISOLATED_PARAMETER}=true`);

/** A frame for the bank's page behind one of the service's addresses; `onMove` reports every load. */
export function createBankFrame(
  title: string,
  onMove: (where: FrameState) => void,
): HTMLIFrameElement {
  const frame = element('iframe', { title, sandbox: SANDBOX, referrerpolicy: 'origin' });
  // Without cookies the page still loads, which is enough for browser fingerprinting.
  if (isIsolated()) frame.setAttribute('credentialless', '');
  frame.addEventListener('load', () => onMove(whereIs(frame)));
  return frame;
}

function whereIs({ contentWindow }: HTMLIFrameElement): FrameState {
  try {
    // Scripts can read the location of same-origin pages only.
    const path = contentWindow?.location.pathname ?? '';
    if (path.endsWith('/unframed')) return 'refused';
    return path.endsWith('/done') ? 'back' : 'leaving';
  } catch {
    return 'away';
  }
}
