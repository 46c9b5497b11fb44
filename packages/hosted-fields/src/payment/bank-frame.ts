import { ISOLATED_PARAMETER } from '@florin/contract/protocol/frame.ts';
import { element } from '../form/element.ts';

/** Isolates the bank's page from the form and the shop: no popups, no dialogs, no navigation of other frames. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/** Location of the frame: on Florin's redirect, blocked by the bank, at the bank, or back. */
export type FrameState = 'leaving' | 'refused' | 'away' | 'back';

/**
 * Whether the surrounding page is cross-origin isolated. Pages that do not opt in cannot load in an isolated page.
 */
export const isIsolated = (): boolean => location.search.includes(`${ISOLATED_PARAMETER}=true`);

/** Creates a frame that reaches the bank's page through one of Florin's URLs. `onMove` is called after every load. */
export function createBankFrame(
  title: string,
  onMove: (where: FrameState) => void,
): HTMLIFrameElement {
  const frame = element('iframe', { title, sandbox: SANDBOX, referrerpolicy: 'origin' });
  // A frame without cookies loads in an isolated page, and suffices for browser fingerprinting.
  if (isIsolated()) frame.setAttribute('credentialless', '');
  frame.addEventListener('load', () => onMove(whereIs(frame)));
  return frame;
}

function whereIs({ contentWindow }: HTMLIFrameElement): FrameState {
  try {
    // Reading the path throws unless the frame shows a page of the same origin.
    const path = contentWindow?.location.pathname ?? '';
    if (path.endsWith('/unframed')) return 'refused';
    return path.endsWith('/done') ? 'back' : 'leaving';
  } catch {
    return 'away';
  }
}
