import { DELAY_MS, watchVisibility } from './visibility.ts';

/** Number of visibility checks before a press on a hidden button is refused: an observation may still arrive. */
const HIDDEN_CHECKS = 6;
/** Maximum visibility checks per press. Without an observation by then, the press is ignored. */
const CHECKS_MAX = 20;

/**
 * Reason why a press is refused, as a name of a text: something covers the button, or the button has just become
 * visible.
 */
export type Refusal = 'covered' | 'press_again';

/**
 * Blocks presses while the button is `aria-disabled`, and pointer presses that the cardholder may not have intended
 * (clickjacking).
 * A press on a new button is accepted once the button was fully visible long enough. So is a touch after scrolling: no
 * page can move the button under a finger that has yet to come. Other presses are refused once the visibility is stable.
 * Keyboard presses (click count 0) are accepted, because the focus is already in the form.
 */
export function guardPresses(button: HTMLElement, onRefused: (why: Refusal) => void): void {
  const visibility = watchVisibility(button);
  const isDisabled = (): boolean => button.getAttribute('aria-disabled') === 'true';
  let isTouch = false;
  let pending: ReturnType<typeof setTimeout> | undefined;
  const check = (checks: number, isNew: boolean): void => {
    pending = undefined;
    const visibilityNow = visibility(isTouch);
    const isStillNew = isNew && visibilityNow !== 'changing' && visibilityNow !== 'hidden';
    if (visibilityNow === 'seen' && isStillNew) button.click();
    else if (isDisabled()) return;
    else if (visibilityNow === 'seen') onRefused('press_again');
    else if (checks >= (visibilityNow === 'hidden' ? HIDDEN_CHECKS : CHECKS_MAX))
      onRefused('covered');
    else pending = setTimeout(check, DELAY_MS, checks + 1, isStillNew);
  };
  button.addEventListener('click', (event) => {
    const disabled = isDisabled();
    if (!disabled && (event.detail === 0 || visibility(isTouch) === 'seen')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    isTouch = (event as PointerEvent).pointerType === 'touch';
    if (!disabled && pending === undefined) check(0, true);
  });
}
