import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { guardPresses } from './press.ts';

/** Fake browser observer, with which the test reports visibility. */
let report: (isVisible: boolean, intersectionRatio?: number) => void;

beforeEach(() => {
  vi.useFakeTimers();
  class Observer {
    constructor(callback: (entries: { isVisible: boolean; intersectionRatio: number }[]) => void) {
      report = (isVisible, intersectionRatio = 1) => callback([{ isVisible, intersectionRatio }]);
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
  /** Dispatches a pointer press; the click count of a pointer is at least 1. */
  press(detail = 1, pointerType = 'mouse'): void {
    const event = new Event('click', { cancelable: true });
    this.dispatchEvent(Object.assign(event, { detail, pointerType }));
  }
  touch = () => this.press(1, 'touch');
  click = () => this.press(0);
}

function guarded() {
  const button = new Button();
  const [onRefused, onPress] = [vi.fn(), vi.fn()];
  guardPresses(button as unknown as HTMLElement, onRefused);
  button.addEventListener('click', onPress);
  /** Number of accepted presses, and the reasons of the refused ones. */
  const outcome = () => [onPress.mock.calls.length, ...onRefused.mock.calls.flat()];
  return { button, outcome };
}

describe('a press', () => {
  it.each([
    ['before it was looked at', () => {}, () => report(true)],
    ['as soon as it is in sight', () => report(true), () => {}],
  ])(
    'on a new button, %s, counts once after it has been visible long enough',
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
  ])('on a new button that something covers does not count: %s', (_how, isVisible, why) => {
    const { button, outcome } = guarded();
    button.press();
    report(false);
    report(isVisible);
    vi.advanceTimersByTime(5_000);
    expect(outcome()).toEqual([0, why]);
  });

  it('on a button that was covered or scrolled counts at the second press', () => {
    const { button, outcome } = guarded();
    report(true);
    vi.advanceTimersByTime(500);
    report(false);
    report(true);
    button.press();
    button.press();
    expect(outcome()).toEqual([0]);
    vi.advanceTimersByTime(600);
    expect(outcome()).toEqual([0, 'press_again']);
    button.press();
    expect(outcome()).toEqual([1, 'press_again']);
  });

  it('by touch counts after scrolling, once the button has been visible long enough', () => {
    const { button, outcome } = guarded();
    report(false, 0);
    vi.advanceTimersByTime(5_000);
    button.touch();
    vi.advanceTimersByTime(100);
    report(true);
    button.touch();
    vi.advanceTimersByTime(400);
    expect(outcome()).toEqual([0]);
    vi.advanceTimersByTime(300);
    expect(outcome()).toEqual([1]);
  });

  it.each([
    ['by mouse', 'mouse', 0],
    ['by touch on a button that was covered', 'touch', 1],
  ])('%s has to be repeated after the button comes into sight', (_how, pointer, ratio) => {
    const { button, outcome } = guarded();
    report(false, ratio);
    vi.advanceTimersByTime(5_000);
    report(true);
    button.press(1, pointer);
    vi.advanceTimersByTime(1_000);
    expect(outcome()).toEqual([0, 'press_again']);
  });

  it('by touch does not count if something covers the button after it', () => {
    const { button, outcome } = guarded();
    report(false, 0);
    report(true);
    button.touch();
    vi.advanceTimersByTime(200);
    report(false, 1);
    report(true);
    vi.advanceTimersByTime(1_000);
    expect(outcome()).toEqual([0, 'press_again']);
  });

  it('on a button that stays covered is refused, however long it was there before', () => {
    const { button, outcome } = guarded();
    report(true);
    report(false);
    for (const refusals of [[], ['covered']]) {
      button.press();
      expect(outcome()).toEqual([0, ...refusals]);
      vi.advanceTimersByTime(2_000);
      expect(outcome()).toEqual([0, ...refusals, 'covered']);
    }
  });

  it('on a button that was hidden for long, and appears with the press, has to be repeated', () => {
    const { button, outcome } = guarded();
    report(false);
    vi.advanceTimersByTime(5_000);
    button.press();
    vi.advanceTimersByTime(100);
    report(true);
    vi.advanceTimersByTime(1_000);
    expect(outcome()).toEqual([0, 'press_again']);
  });

  it('on a button without any observation is refused in the end', () => {
    const { button, outcome } = guarded();
    button.press();
    vi.advanceTimersByTime(5_000);
    expect(outcome()).toEqual([0, 'covered']);
  });

  it('on a button that is closed meanwhile does nothing', () => {
    const { button, outcome } = guarded();
    button.press();
    button.disabled = true;
    report(true);
    vi.advanceTimersByTime(5_000);
    expect(outcome()).toEqual([0]);
  });
});
