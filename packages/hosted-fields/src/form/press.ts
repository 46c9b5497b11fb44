import { watchVisibility } from './visibility.ts';

/**
 * Stops presses that must not count: while the button is `aria-disabled`, and by pointer where the cardholder cannot
 * have seen what is under it. One by keyboard (which counts no clicks) comes from somebody who is in the form already.
 */
export function guardPresses(button: HTMLElement, onCovered: () => void): void {
  const isSeen = watchVisibility(button);
  button.addEventListener('click', (event) => {
    const disabled = button.getAttribute('aria-disabled') === 'true';
    if (!disabled && (event.detail === 0 || isSeen())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!disabled) onCovered();
  });
}
