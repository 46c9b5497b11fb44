import type { Page } from 'playwright-core';

/** Pixels of a turn of the wheel: somewhat less than the window shows. */
const WHEEL_PX = 500;
/** Turns without a new row, after which scrolling has ended. */
const IDLE_TURNS_MAX = 40;
const TURN_MS = 50;

interface Frames {
  /** Milliseconds between frames. */
  readonly gaps: number[];
}

/** Scrolls through the list with the wheel. Returns a sentence with rows, seconds, and the longest frames. */
export async function scrollThrough(page: Page, rowsMax: number): Promise<string> {
  await page.getByRole('row').nth(2).hover();
  await page.evaluate(recordFrames);
  const started = performance.now();
  let passed = 0;
  for (let idle = 0; passed < rowsMax && idle < IDLE_TURNS_MAX; ) {
    await page.mouse.wheel(0, WHEEL_PX);
    await page.waitForTimeout(TURN_MS);
    const now = await page.evaluate(lastRowIndex);
    idle = now > passed ? 0 : idle + 1;
    passed = now;
  }
  const seconds = (performance.now() - started) / 1_000;
  const { gaps } = await page.evaluate(() => (window as unknown as { frames: Frames }).frames);
  const sorted = gaps.toSorted((one, other) => other - one);
  const [longest = 0] = sorted;
  const late = sorted[Math.floor(sorted.length / 100)] ?? 0;
  return `scrolling: ${passed} rows in ${seconds.toFixed(1)} s; frames: longest ${longest.toFixed(0)} ms, slowest hundredth ${late.toFixed(0)} ms`;
}

/** Runs in the page: records the time between frames. */
function recordFrames(): void {
  const frames: Frames = { gaps: [] };
  (window as unknown as { frames: Frames }).frames = frames;
  let last = performance.now();
  const onFrame = (now: number) => {
    frames.gaps.push(now - last);
    last = now;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}

/** Runs in the page: number of the last row that is drawn. */
function lastRowIndex(): number {
  const drawn = [...document.querySelectorAll('[aria-rowindex]')];
  return Math.max(0, ...drawn.map((row) => Number(row.getAttribute('aria-rowindex'))));
}
