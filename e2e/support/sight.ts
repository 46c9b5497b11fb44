import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Longer than the form must be visible before its buttons count. */
export const VISIBLE_MS = 900;

declare global {
  interface Element {
    /** Latest report of the browser on whether the element is visible. */
    wasVisible?: boolean;
  }
}

/** Records in documents loaded later what the browser reports to the form, and lets the test move their clock. */
export async function watchVisibility(page: Page): Promise<void> {
  await page.addInitScript(recordVisibility);
  await page.clock.install();
}

/** Presses as a pointer does, and lets the form decide after the time in which the button has to be visible. */
export async function pressButton(button: Locator, becomesVisible = false): Promise<void> {
  await button.dispatchEvent('click', { detail: 1 });
  if (becomesVisible) await expectReportedVisible(button, true);
  await button.page().clock.runFor(VISIBLE_MS);
}

/** Runs in each document before its scripts: keeps the browser's reports to the form, after the form has them. */
function recordVisibility(): void {
  globalThis.IntersectionObserver = class extends IntersectionObserver {
    constructor(report: IntersectionObserverCallback, init?: IntersectionObserverInit) {
      super((entries, observer) => {
        report(entries, observer);
        for (const { target, isVisible } of entries as VisibilityEntry[])
          target.wasVisible = isVisible;
      }, init);
    }
  };
}

type VisibilityEntry = IntersectionObserverEntry & { readonly isVisible: boolean };

/** Waits until the browser has told the form that the button is visible, or is not. */
export const expectReportedVisible = (button: Locator, isExpectedVisible: boolean): Promise<void> =>
  expect
    .poll(
      async () => {
        await button.page().evaluate(drawFrames);
        return button.evaluate(({ wasVisible }: Element) => wasVisible);
      },
      { interval: 25 },
    )
    .toBe(isExpectedVisible);

/** Makes the browser draw: it observes visibility only in frames that it draws, and a still page has none. */
function drawFrames(): void {
  if (document.getAnimations().length > 0) return;
  document.documentElement.animate([{ outlineOffset: '0px' }, { outlineOffset: '1px' }], 500);
}
