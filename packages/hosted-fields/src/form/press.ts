import { DELAY_MS, watchVisibility } from './visibility.ts';

/** How often it is looked again at a button that was pressed before it is hidden for good: an observation may be on its way. */
const HIDDEN_LOOKS = 6;
/** How often at the most; a press on a button that no observation reaches by then does not count. */
const LOOKS_MAX = 20;

/** Why a press does not count: something covers the button, or the button has just come into sight. Names of texts. */
export type Refusal = 'covered' | 'press_again';

/**
 * Stops presses that must not count: while the button is `aria-disabled`, and by pointer where the cardholder cannot
 * have seen what is under it. One on a button that is new counts when that has been in plain sight for long enough.
 * Any other is refused once it has lasted how the button is seen, which changes while somebody scrolls.
 * One by keyboard (which counts no clicks) comes from somebody who is in the form already.
 */
export function guardPresses(button: HTMLElement, onRefused: (why: Refusal) => void): void {
  const sight = watchVisibility(button);
  const isDisabled = (): boolean => button.getAttribute('aria-disabled') === 'true';
  let pending: ReturnType<typeof setTimeout> | undefined;
  const look = (looks: number, isNew: boolean): void => {
    pending = undefined;
    const seen = sight();
    const isStillNew = isNew && seen !== 'changing' && seen !== 'hidden';
    if (seen === 'seen' && isStillNew) button.click();
    else if (isDisabled()) return;
    else if (seen === 'seen') onRefused('press_again');
    else if (looks >= (seen === 'hidden' ? HIDDEN_LOOKS : LOOKS_MAX)) onRefused('covered');
    else pending = setTimeout(look, DELAY_MS, looks + 1, isStillNew);
  };
  button.addEventListener('click', (event) => {
    const disabled = isDisabled();
    if (!disabled && (event.detail === 0 || sight() === 'seen')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!disabled && pending === undefined) look(0, true);
  });
}
