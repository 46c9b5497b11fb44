import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Longer than the form must be visible before its buttons count. */
export const SEEN_MS = 900;

declare global {
  interface Element {
    /** Latest report of the browser on whether the element is visible. */
    wasSeen?: boolean;
  }
}

/** Records in documents loaded later what the browser reports to the form, and lets the test move their clock. */
export async function watchSight(page: Page): Promise<void> {
  await page.addInitScript(reportSight);
  await page.clock.install();
}

/** Presses as a pointer does, and lets the form decide after the time in which the button has to be visible. */
export async function pressAt(button: Locator, isSeenSoon = false): Promise<void> {
  await button.dispatchEvent('click', { detail: 1 });
  if (isSeenSoon) await expectSeen(button, true);
  await button.page().clock.runFor(SEEN_MS);
}

/** Runs in each document before its scripts: keeps the browser's reports to the form, after the form has them. */
function reportSight(): void {
  globalThis.IntersectionObserver = class extends IntersectionObserver {
    constructor(report: IntersectionObserverCallback, init?: IntersectionObserverInit) {
      super((entries, observer) => {
        report(entries, observer);
        for (const { target, isVisible } of entries as Reported[]) target.wasSeen = isVisible;
      }, init);
    }
  };
}

type Reported = IntersectionObserverEntry & { readonly isVisible: boolean };

/** Waits until the browser has told the form that the button is visible, or is not. */
export const expectSeen = (button: Locator, isSeen: boolean): Promise<void> =>
  expect
    .poll(() => button.evaluate(({ wasSeen }: Element) => wasSeen), { interval: 25 })
    .toBe(isSeen);
