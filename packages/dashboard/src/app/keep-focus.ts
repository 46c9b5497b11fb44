/** Parts of a page that get the focus of an element that was removed from them. */
const PARTS = '[role="dialog"], [popover], section, main';
const HEADINGS = 'h1, h2, h3';
/** Longer than dialogs and page titles take to move the focus themselves. */
const WAIT_MS = 60;

/**
 * Moves the focus when the focused element is removed: to the nearest part of the page that remains. A button that was
 * disabled during its request gets the focus back. Otherwise the next Tab would start at the top of the page.
 */
export function keepFocus(): void {
  let focused: Element | undefined;
  let parts: readonly Element[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLost = (): boolean =>
    document.activeElement === document.body && focused !== undefined && !isWaiting(focused);
  const restore = (): void => {
    timer = undefined;
    if (!isLost() || takesFocus(focused)) return;
    const page = document.querySelectorAll('main');
    const remainingParts = [...parts, ...page].filter(({ isConnected }) => isConnected);
    remainingParts.flatMap(headingAndPart).find(becomesFocused);
  };
  addEventListener('focusin', ({ target }) => {
    focused = target as Element;
    parts = partsAround(focused);
  });
  // A press beside all controls takes the focus away on purpose.
  addEventListener('pointerdown', ({ target }) => {
    if (!focused?.contains(target as Node)) focused = undefined;
  });
  new MutationObserver(() => {
    if (timer === undefined && isLost()) timer = setTimeout(restore, WAIT_MS);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

/** Whether an element is disabled for now, and gets the focus back afterwards. */
const isWaiting = (element: Element): boolean =>
  element.isConnected && element.matches(':disabled');

/** The parts that contain an element, inner ones first. */
function partsAround(element: Element): readonly Element[] {
  const part = element.parentElement?.closest(PARTS);
  return part ? [part, ...partsAround(part)] : [];
}

const headingAndPart = (part: Element) => [part.querySelector(HEADINGS), part];

/** Focuses an element where that is possible. Returns whether it has the focus. */
function takesFocus(element: Element | undefined): boolean {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  return document.activeElement !== document.body;
}

/** Focuses a heading or a part, which no Tab reaches. */
function becomesFocused(element: Element | null): boolean {
  if (element && !element.hasAttribute('tabindex')) element.setAttribute('tabindex', '-1');
  return element !== null && takesFocus(element);
}
