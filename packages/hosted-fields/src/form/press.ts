import { DELAY_MS, watchVisibility } from './visibility.ts';

/** How often a press on a new button is looked at again; one that no observation reaches by then does not count. */
const LOOKS_MAX = 20;

/**
 * Stops presses that must not count: while the button is `aria-disabled`, and by pointer where the cardholder cannot
 * have seen what is under it. One on a button that is new counts when that has been in plain sight for long enough.
 * One by keyboard (which counts no clicks) comes from somebody who is in the form already.
 */
export function guardPresses(button: HTMLElement, onCovered: () => void): void {
  const sight = watchVisibility(button);
  let pending: ReturnType<typeof setTimeout> | undefined;
  const look = (looks: number): void => {
    pending = undefined;
    if (sight() === 'seen') button.click();
    else if (sight() === 'hidden' || looks === LOOKS_MAX) onCovered();
    else pending = setTimeout(look, DELAY_MS, looks + 1);
  };
  button.addEventListener('click', (event) => {
    const disabled = button.getAttribute('aria-disabled') === 'true';
    if (!disabled && (event.detail === 0 || sight() === 'seen')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!disabled && pending === undefined) look(0);
  });
}
