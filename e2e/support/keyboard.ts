import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Above the number of Tab stops of any page. */
const STOPS_MAX = 150;

/**
 * Moves the focus to the element with this name, with Tab or another key, if the focus is elsewhere. Checks that the
 * focus is visible.
 */
export async function tabTo(page: Page, wanted: string | RegExp, key = 'Tab'): Promise<void> {
  const passedNames: string[] = [];
  for (let stops = 0; stops <= STOPS_MAX; stops += 1) {
    if (stops > 0) await page.keyboard.press(key);
    const name = await page.evaluate(nameOfFocused);
    passedNames.push(name);
    if (typeof wanted === 'string' ? name !== wanted : !wanted.test(name)) continue;
    expect(await page.evaluate(isFocusVisible), `the focus on ${name} can be seen`).toBe(true);
    return;
  }
  throw new Error(`The ${key} key does not come to ${wanted}, but to ${passedNames.join(' | ')}`);
}

/** Waits until the focus is on the element with this text, such as after a dialog or a button has gone. */
export const waitForFocus = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(text);

/** Runs in the page. Returns the accessible name of the focused element. */
function nameOfFocused(): string {
  const element = document.activeElement as (HTMLElement & { labels?: NodeListOf<Element> }) | null;
  if (element === document.body) return '';
  const label = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent;
  return (label ?? element?.textContent ?? '').replace('*', '').trim();
}

/** Runs in the page. Returns whether the focused element, or its visible wrapper, looks different with focus. */
async function isFocusVisible(): Promise<boolean> {
  const element = document.activeElement as HTMLElement;
  const elements = [element, element.nextElementSibling, element.parentElement];
  const readStyles = async () => {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    return elements.map((node) => {
      if (!node) return '';
      const { outline, borderColor, boxShadow, backgroundColor } = getComputedStyle(node);
      return [outline, borderColor, boxShadow, backgroundColor].join();
    });
  };
  const focusedStyles = await readStyles();
  element.blur();
  const blurredStyles = await readStyles();
  element.focus({ preventScroll: true });
  return focusedStyles.some((style, at) => style !== blurredStyles[at]);
}
