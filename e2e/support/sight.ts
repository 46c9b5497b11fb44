import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Longer than the form must be visible before its buttons count. */
export const SEEN_MS = 900;

declare global {
  interface Element {
    /** Latest report of the browser on whether the element is visible. */
    wasSeen?: boolean;
  }
}

/** Runs in each document before its scripts: keeps the browser's reports to the form, after the form has them. */
export function reportSight(): void {
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
