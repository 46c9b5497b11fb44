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
  const [onRefused, onPress] = [vi.fn(), vi.fn()];
  guardPresses(button as unknown as HTMLElement, onRefused);
  button.addEventListener('click', onPress);
  /** How many presses counted, and what was said of those that did not. */
  const outcome = () => [onPress.mock.calls.length, ...onRefused.mock.calls.flat()];
  return { button, outcome };
}

describe('a press', () => {
  it.each([
    ['before it was looked at', () => {}, () => tell(true)],
    ['as soon as it is in sight', () => tell(true), () => {}],
  ])(
    'on a new button, %s, counts once when it has been in sight long enough',
    (_when, before, after) => {
      const { button, outcome } = guarded();
      before();
      button.press();
      button.press();
      after();
      vi.advanceTimersByTime(400);
      expect(outcome()).toEqual([0]);
      vi.advanceTimersByTime(300);
      expect(outcome()).toEqual([1]);
    },
  );

  it.each([
    ['comes into sight again', true, 'press_again'],
    ['stays covered', false, 'covered'],
  ])('on a new button that something covers and that %s does not count', (_how, isVisible, why) => {
    const { button, outcome } = guarded();
    button.press();
    tell(false);
    tell(isVisible);
    vi.advanceTimersByTime(5_000);
    expect(outcome()).toEqual([0, why]);
  });

  it('on a button that comes out from under something, or was scrolled, counts when it is pressed again', () => {
    const { button, outcome } = guarded();
    tell(true);
    vi.advanceTimersByTime(500);
    tell(false);
    tell(true);
    button.press();
    button.press();
    expect(outcome()).toEqual([0]);
    vi.advanceTimersByTime(600);
    expect(outcome()).toEqual([0, 'press_again']);
    button.press();
    expect(outcome()).toEqual([1, 'press_again']);
  });

  it('on a button that stays under something is refused, however long it was there before', () => {
    const { button, outcome } = guarded();
    tell(true);
    tell(false);
    for (const told of [[], ['covered']]) {
      button.press();
      expect(outcome()).toEqual([0, ...told]);
      vi.advanceTimersByTime(2_000);
      expect(outcome()).toEqual([0, ...told, 'covered']);
    }
  });

  it('on a button that was out of sight for long, and is shown as it is pressed, is asked for again', () => {
    const { button, outcome } = guarded();
    tell(false);
    vi.advanceTimersByTime(5_000);
    button.press();
    vi.advanceTimersByTime(100);
    tell(true);
    vi.advanceTimersByTime(1_000);
    expect(outcome()).toEqual([0, 'press_again']);
  });

  it('on a button that no observation reaches is refused in the end', () => {
    const { button, outcome } = guarded();
    button.press();
    vi.advanceTimersByTime(5_000);
    expect(outcome()).toEqual([0, 'covered']);
  });

  it('on a button that is closed meanwhile does nothing', () => {
    const { button, outcome } = guarded();
    button.press();
    button.disabled = true;
    tell(true);
    vi.advanceTimersByTime(5_000);
    expect(outcome()).toEqual([0]);
  });
});
