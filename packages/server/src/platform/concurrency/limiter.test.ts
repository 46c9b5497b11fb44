import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter, type LimiterOptions } from './limiter.ts';
import { OverloadedError } from './overloaded.ts';

/** A limiter whose work ends on command. */
function createManualLimiter(options: LimiterOptions) {
  const limiter = createLimiter(options);
  const running: { name: string; key: string; end: () => void }[] = [];
  const [started, refused, finished]: [string[], string[], string[]] = [[], [], []];
  const run = (key: string, name: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = (): Promise<void> => {
      started.push(name);
      running.push({ name, key, end: resolve });
      return promise;
    };
    return limiter.run(work, key).then(
      () => void finished.push(name),
      () => void refused.push(name),
    );
  };
  const end = async (at = 0): Promise<void> => {
    running.splice(at, 1)[0]?.end();
    await setImmediate();
  };
  return { limiter, run, end, running, started, refused, done: finished };
}

const keys = fc.constantFrom('a', 'b', 'c');
const bounds = fc.record({
  max: fc.integer({ min: 1, max: 4 }),
  waiting_max: fc.integer({ min: 0, max: 8 }),
});
/** Random steps: work arrives for a key, or running work ends. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ arrives: keys }) },
    { weight: 2, arbitrary: fc.record({ ends: fc.nat({ max: 3 }) }) },
  ),
  { minLength: 20, maxLength: 80 },
);
type Step = { readonly arrives: string } | { readonly ends: number };

async function runSteps(
  { run, end, running }: ReturnType<typeof createManualLimiter>,
  script: readonly Step[],
  check: () => void,
): Promise<string[]> {
  const names: string[] = [];
  for (const step of script) {
    if ('arrives' in step) {
      const name = `${step.arrives}${names.length}`;
      names.push(name);
      void run(step.arrives, name);
      await setImmediate();
    } else await end(step.ends % Math.max(1, running.length));
    check();
  }
  return names;
}

describe('a limiter', () => {
  it('never exceeds a limit, uses every free slot, and answers each work once', () =>
    fc.assert(
      fc.asyncProperty(bounds, bounds, steps, async (total, per_key, script) => {
        const manualLimiter = createManualLimiter({ total, per_key });
        const { limiter, running, started, refused, done, end } = manualLimiter;
        const names: string[] = await runSteps(manualLimiter, script, () => {
          const counts = Map.groupBy(running, (runningWork) => runningWork.key);
          expect(new Map([...counts].map(([name, works]) => [name, works.length]))).toEqual(
            new Map(limiter.used),
          );
          expect(running.length).toBeLessThanOrEqual(total.max);
          expect(limiter.free()).toBe(total.max - running.length);
          for (const works of counts.values())
            expect(works.length).toBeLessThanOrEqual(per_key.max);
        });
        const waiting = names.filter((name) => ![...started, ...refused].includes(name));
        expect(waiting.length).toBeLessThanOrEqual(total.waiting_max);
        const isBlocked = (name: string): boolean =>
          limiter.free() <= 0 || (limiter.used.get(name.slice(0, 1)) ?? 0) >= per_key.max;
        expect(waiting.filter((name) => !isBlocked(name))).toEqual([]);
        while (running.length > 0) await end();
        expect([...done, ...refused].toSorted()).toEqual(names.toSorted());
        await limiter.whenIdle();
      }),
      { numRuns: 60 },
    ));

  it('starts works of one key in order, and no key twice while another key could start', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (max, script) => {
        const manualLimiter = createManualLimiter({ total: { max, waiting_max: 1_000 } });
        const { started, running, end } = manualLimiter;
        const names = await runSteps(manualLimiter, script, () => {});
        const waiting = names.filter((name) => !started.includes(name));
        const startedBefore = started.length;
        while (running.length > 0) await end();
        for (const key of ['a', 'b', 'c']) {
          const ofKey = (allNames: readonly string[]) =>
            allNames.filter((name) => name.startsWith(key));
          expect(ofKey(started)).toEqual(ofKey(names));
        }
        // After the last arrival, each round starts one waiting work of every key.
        const waitingByKey = [...Map.groupBy(waiting, (name) => name.slice(0, 1)).values()];
        const rounds = Math.max(0, ...waitingByKey.map((line) => line.length));
        let roundStart = startedBefore;
        for (let round = 0; round < rounds; round++) {
          const size = waitingByKey.filter((line) => line.length > round).length;
          const inRound = started
            .slice(roundStart, roundStart + size)
            .map((name) => name.slice(0, 1));
          expect(new Set(inRound).size).toBe(size);
          roundStart += size;
        }
      }),
      { numRuns: 60 },
    ));

  it('releases the slot of a work that fails, and passes its error on', async () => {
    const limiter = createLimiter({ total: { max: 1 } });
    await expect(limiter.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await limiter.run(async () => 'free again')).toBe('free again');
  });

  it('refuses a work without a slot that may not wait', async () => {
    const limiter = createLimiter({ total: { max: 1 } });
    limiter.take();
    await expect(limiter.run(async () => 'never')).rejects.toThrow(OverloadedError);
    limiter.release();
    expect(await limiter.run(async () => 'free again')).toBe('free again');
  });

  it('that is full refuses the newest waiting work of the key with the most', async () => {
    const { run, refused, end, started } = createManualLimiter({
      total: { max: 1, waiting_max: 3 },
    });
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b4', 'a5']) {
      void run(name.slice(0, 1), name);
      await setImmediate();
    }
    expect(refused).toEqual(['a3', 'a5']);
    for (let ended = 0; ended < 4; ended++) await end();
    expect(started).toEqual(['a0', 'a1', 'b4', 'a2']);
  });

  it('refuses works that waited too long, and serves those behind', async () => {
    const impatientLimiter = createLimiter({ total: { max: 1, waiting_max: 9 }, wait_max_ms: 1 });
    impatientLimiter.take();
    await expect(impatientLimiter.run(async () => 'never')).rejects.toMatchObject({
      exceeded: { limit: 'wait_ms', max: 1 },
    });
    const patientLimiter = createLimiter({
      total: { max: 1, waiting_max: 9 },
      wait_max_ms: 60_000,
    });
    patientLimiter.take();
    const lateCall = patientLimiter.run(async () => 'in time');
    patientLimiter.release();
    expect(await lateCall).toBe('in time');
  });

  it('limits each key separately without a limit for all', async () => {
    const { run, refused, started } = createManualLimiter({ per_key: { max: 1, waiting_max: 1 } });
    for (const name of ['a0', 'a1', 'a2', 'b3']) {
      void run(name.slice(0, 1), name);
      await setImmediate();
    }
    expect([started, refused]).toEqual([['a0', 'b3'], ['a2']]);
  });

  it('wakes a work that waits for several slots once they are free, or when the signal aborts', async () => {
    const limiter = createLimiter({ total: { max: 3 } });
    for (let taken = 0; taken < 3; taken++) limiter.take();
    const abortController = new AbortController();
    const wokenCounts: number[] = [];
    const two = limiter.whenFree(2).then(() => wokenCounts.push(2));
    const three = limiter.whenFree(3, abortController.signal).then(() => wokenCounts.push(3));
    limiter.release();
    await setImmediate();
    expect(wokenCounts).toEqual([]);
    limiter.release();
    await two;
    expect([wokenCounts, limiter.free()]).toEqual([[2], 2]);
    abortController.abort();
    await three;
  });

  it('reports a key that releases a slot while it used all of its own', async () => {
    const freedKeys: string[] = [];
    const limiter = createLimiter({ per_key: { max: 2 }, onKeyFree: (key) => freedKeys.push(key) });
    for (const key of ['a', 'a', 'b']) limiter.take(key);
    expect([...limiter.used]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    for (const key of ['a', 'a', 'b']) limiter.release(key);
    expect([freedKeys, limiter.used.size]).toEqual([['a'], 0]);
  });

  it('is idle once all started works have ended', async () => {
    const limiter = createLimiter({ total: { max: 1 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    limiter.start(() => promise);
    let isIdle = false;
    const idle = limiter.whenIdle().then(() => {
      isIdle = true;
    });
    await setImmediate();
    expect([isIdle, limiter.free()]).toEqual([false, 0]);
    resolve();
    await idle;
    expect(limiter.free()).toBe(1);
  });
});
