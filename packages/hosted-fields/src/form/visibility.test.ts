import { beforeEach, describe, expect, it, vi } from 'vitest';
import { watchVisibility } from './visibility.ts';

/** Fake browser observer, with which the test reports visibility. */
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

const advance = (ms: number) => vi.advanceTimersByTime(ms);

describe('a button', () => {
  it('#6 counts as seen after half a second of full visibility', () => {
    const visibility = watchVisibility({} as Element);
    expect(visibility(false)).toBe('new');
    report(true);
    advance(499);
    expect(visibility(false)).toBe('new');
    advance(1);
    expect(visibility(false)).toBe('seen');
  });

  it('#6 has to be seen again after it was covered, but not after each report', () => {
    const visibility = watchVisibility({} as Element);
    report(true);
    advance(300);
    report(true);
    advance(200);
    expect(visibility(false)).toBe('seen');
    report(false);
    expect(visibility(false)).toBe('changing');
    report(true);
    advance(499);
    expect(visibility(false)).toBe('changing');
    advance(1);
    expect(visibility(false)).toBe('seen');
  });

  it('#6 is hidden after half a second out of sight', () => {
    const visibility = watchVisibility({} as Element);
    report(true);
    report(false);
    advance(499);
    expect(visibility(false)).toBe('changing');
    report(false);
    advance(1);
    expect(visibility(false)).toBe('hidden');
  });

  it('#6 counts as seen if the browser cannot observe visibility', () => {
    const visibility = watchVisibility({} as Element);
    report(undefined);
    expect(visibility(false)).toBe('seen');
  });
});
