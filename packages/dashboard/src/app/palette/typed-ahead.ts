import { SEARCH_TEXT_MAX } from '@florin/contract/search.ts';

/** Keys pressed between the opening of the palette and the first view of its field. */
export interface TypedAhead {
  readonly text: string;
  /** Whether Enter was pressed after the text. */
  readonly isEntered: boolean;
}

/** Keeps the keys that are typed on the page away from it, until it stops. */
export interface KeyCollector {
  /** The keys so far. */
  read(): TypedAhead;
  stop(): void;
}

/** The keys typed since the palette was opened. None after `stop`. */
export interface KeysAhead extends Pick<KeyCollector, 'stop'> {
  read(): TypedAhead | undefined;
}

/** Collects the keys typed on the page. Escape calls `onEscape`. Shortcuts of the browser are left alone. */
export function collectKeys(onEscape: () => void): KeyCollector {
  let text = '';
  let isEntered = false;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { key } = event;
    if (key === 'Escape') onEscape();
    else if (key === 'Enter') isEntered = true;
    else if (key === 'Backspace') text = text.slice(0, -1);
    else if ([...key].length === 1 && text.length < SEARCH_TEXT_MAX) text += key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Capturing: the keys must not reach what has the focus on the page below.
  addEventListener('keydown', onKeyDown, true);
  return {
    read: () => ({ text, isEntered }),
    stop: () => removeEventListener('keydown', onKeyDown, true),
  };
}
