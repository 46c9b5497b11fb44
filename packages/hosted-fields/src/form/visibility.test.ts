import { beforeEach, describe, expect, it, vi } from 'vitest';
import { watchVisibility } from './visibility.ts';

/** A browser's observer, by whose mouth the test tells what is seen. */
let tell: (isVisible: boolean | undefined) => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  class Observer {
    constructor(callback: (entries: { isVisible: boolean | undefined }[]) => void) {
      tell = (isVisible) => callback([{ isVisible }]);
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
  it('#6 counts as seen after half a second in plain sight', () => {
    const isSeen = watchVisibility({} as Element);
    expect(isSeen()).toBe(false);
    tell(true);
    pass(499);
    expect(isSeen()).toBe(false);
    pass(1);
    expect(isSeen()).toBe(true);
  });

  it('#6 has to be seen anew after something was over it, but not for each report', () => {
    const isSeen = watchVisibility({} as Element);
    tell(true);
    pass(300);
    tell(true);
    pass(200);
    expect(isSeen()).toBe(true);
    tell(false);
    expect(isSeen()).toBe(false);
    tell(true);
    expect(isSeen()).toBe(false);
  });

  it('#6 counts as seen where the browser cannot tell', () => {
    const isSeen = watchVisibility({} as Element);
    tell(undefined);
    expect(isSeen()).toBe(true);
  });
});
