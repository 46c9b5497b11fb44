import assert from 'node:assert/strict';
import { keyReadingOf } from '../account-keys.ts';
import type { ConformanceCase, TestedProcessor } from './conformance-input.ts';
import { createHttpAnswer, unclearAnswers, type WireSamples } from './conformance-samples.ts';

/** Checks that answers say truly whether the processor accepts the account's key. */
export function keyCases(
  { readKey }: TestedProcessor,
  { authorise, refused_keys = [] }: WireSamples,
): ConformanceCase[] {
  const readingOf = (...[answer, operation]: Parameters<typeof keyReadingOf>) =>
    keyReadingOf(answer, operation, readKey);
  return [
    {
      name: 'a reader of keys has samples',
      run: () => assert.ok(readKey === undefined || refused_keys.length > 0),
    },
    ...refused_keys.map(({ status, body, meaning }, index) => ({
      name: `a refused key, sample ${index + 1}`,
      run() {
        for (const operation of ['authorise', 'follow_up'] as const)
          assert.deepEqual(readingOf(createHttpAnswer(status, body), operation), meaning);
      },
    })),
    ...authorise.approved.map(({ status, body }, index) => ({
      name: `an approval accepts the key, sample ${index + 1}`,
      run: () => assert.deepEqual(readingOf(createHttpAnswer(status, body)), { key: 'accepted' }),
    })),
    ...Object.entries(unclearAnswers).map(([situation, answer]) => ({
      name: `${situation} refuses no key`,
      run: () => assert.notEqual(readingOf(answer).key, 'refused'),
    })),
  ];
}
