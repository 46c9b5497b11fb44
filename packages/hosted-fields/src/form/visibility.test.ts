import { beforeEach, describe, expect, it, vi } from 'vitest';
import { watchVisibility } from './visibility.ts';

/** Fake browser observer: the test reports visibility through it. */
let report: (isVisible: boolean | undefined) => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  class Observer {
    constructor(callback: (entries: { isVisible: boolean | undefined }[]) => void) {
      report = (isVisible) => callback([{ isVisible }]);
    }
    observe(): void {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

const pass = (ms: number) => vi.advanceTimersByTime(ms);

describe('a button', () => {
  it('#6 counts as seen after half a second of full visibility', () => {
    const sight = watchVisibility({} as Element);
    expect(sight()).toBe('new');
    report(true);
    pass(499);
    expect(sight()).toBe('new');
    pass(1);
    expect(sight()).toBe('seen');
  });

  it('#6 has to be seen again after it was covered, but not after each report', () => {
    const sight = watchVisibility({} as Element);
    report(true);
    pass(300);
    report(true);
    pass(200);
    expect(sight()).toBe('seen');
    report(false);
    expect(sight()).toBe('changing');
    report(true);
    pass(499);
    expect(sight()).toBe('changing');
    pass(1);
    expect(sight()).toBe('seen');
  });

  it('#6 is hidden after half a second out of sight', () => {
    const sight = watchVisibility({} as Element);
    report(true);
    report(false);
    pass(499);
    expect(sight()).toBe('changing');
    report(false);
    pass(1);
    expect(sight()).toBe('hidden');
  });

  it('#6 counts as seen if the browser cannot observe visibility', () => {
    const sight = watchVisibility({} as Element);
    report(undefined);
    expect(sight()).toBe('seen');
  });
});
