import { DELAY_MS, watchVisibility } from './visibility.ts';

/** Checks after a press before a hidden button is refused: an observation may still be on its way. */
const HIDDEN_CHECKS = 6;
/** Maximum number of checks; without an observation by then the press does not count. */
const LOOKS_MAX = 20;

/** Why a press does not count: something covers the button, or it has just become visible. Names of texts. */
export type Refusal = 'covered' | 'press_again';

/**
 * Blocks presses while the button is `aria-disabled`, and pointer presses that the cardholder may not have intended
 * (clickjacking). A press on a new button counts once the button was fully visible long enough. Other presses are
 * refused once the visibility is stable. Keyboard presses (click count 0) count: the person is already in the form.
 */
export function guardPresses(button: HTMLElement, onRefused: (why: Refusal) => void): void {
  const visibility = watchVisibility(button);
  const isDisabled = (): boolean => button.getAttribute('aria-disabled') === 'true';
  let pending: ReturnType<typeof setTimeout> | undefined;
  const check = (checks: number, isNew: boolean): void => {
    pending = undefined;
    const seen = visibility();
    const isStillNew = isNew && seen !== 'changing' && seen !== 'hidden';
    if (seen === 'seen' && isStillNew) button.click();
    else if (isDisabled()) return;
    else if (seen === 'seen') onRefused('press_again');
    else if (checks >= (seen === 'hidden' ? HIDDEN_CHECKS : LOOKS_MAX)) onRefused('covered');
    else pending = setTimeout(check, DELAY_MS, checks + 1, isStillNew);
  };
  button.addEventListener('click', (event) => {
    const disabled = isDisabled();
    if (!disabled && (event.detail === 0 || visibility() === 'seen')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!disabled && pending === undefined) check(0, true);
  });
}
