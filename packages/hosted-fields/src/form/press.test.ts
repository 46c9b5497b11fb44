import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { guardPresses } from './press.ts';

/** A browser's observer, by whose mouth the test tells what is seen. */
let tell: (isVisible: boolean) => void;

beforeEach(() => {
  vi.useFakeTimers();
  class Observer {
    constructor(callback: (entries: { isVisible: boolean }[]) => void) {
      tell = (isVisible) => callback([{ isVisible }]);
    }
    observe(): void {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

class Button extends EventTarget {
  disabled = false;
  getAttribute = () => String(this.disabled);
  /** As a pointer does it: clicks are counted. */
  press(detail = 1): void {
    this.dispatchEvent(Object.assign(new Event('click', { cancelable: true }), { detail }));
  }
  click = () => this.press(0);
}

function guarded() {
  const button = new Button();
  const [onCovered, onPress] = [vi.fn(), vi.fn()];
  guardPresses(button as unknown as HTMLElement, onCovered);
  button.addEventListener('click', onPress);
  const counts = () => [onPress.mock.calls.length, onCovered.mock.calls.length];
  return { button, counts };
}

describe('a press', () => {
  it.each([
    ['before it was looked at', () => {}, () => tell(true)],
    ['as soon as it is in sight', () => tell(true), () => {}],
  ])(
    'on a new button, %s, counts once when it has been in sight long enough',
    (_when, before, after) => {
      const { button, counts } = guarded();
      before();
      button.press();
      button.press();
      after();
      vi.advanceTimersByTime(400);
      expect(counts()).toEqual([0, 0]);
      vi.advanceTimersByTime(300);
      expect(counts()).toEqual([1, 0]);
    },
  );

  it('on a new button that turns out to be covered does not count', () => {
    const { button, counts } = guarded();
    button.press();
    tell(false);
    tell(true);
    vi.advanceTimersByTime(5_000);
    expect(counts()).toEqual([0, 1]);
  });

  it('on a button that comes out from under something is refused at once', () => {
    const { button, counts } = guarded();
    tell(true);
    vi.advanceTimersByTime(500);
    tell(false);
    tell(true);
    button.press();
    expect(counts()).toEqual([0, 1]);
  });

  it('on a button that no observation reaches is refused in the end', () => {
    const { button, counts } = guarded();
    button.press();
    vi.advanceTimersByTime(5_000);
    expect(counts()).toEqual([0, 1]);
  });

  it('on a button that is closed meanwhile does nothing', () => {
    const { button, counts } = guarded();
    button.press();
    button.disabled = true;
    tell(true);
    vi.advanceTimersByTime(5_000);
    expect(counts()).toEqual([0, 0]);
  });
});
