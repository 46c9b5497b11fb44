import assert from 'node:assert/strict';
import { type ConformanceCase, MARKER_TEXT, type TestedProcessor } from './conformance-input.ts';
import {
  createHttpAnswer,
  type Sample,
  sentSamplesOf,
  type WireSamples,
} from './conformance-samples.ts';
import type { WireAnswer } from './message.ts';

/** Cases in which a network sends a valid response to a different message. */
export function strayCases(processor: TestedProcessor, samples: WireSamples): ConformanceCase[] {
  const { authorise, inquire, reverse, refund, capture } = processor;
  const casesWithStray = <Result extends { result: string }>(
    name: string,
    [sample]: readonly Sample<Result>[],
    mapAnswer: (answer: WireAnswer, expected: string) => Result,
  ): ConformanceCase => ({
    name: `${name} of another message is not taken for its own`,
    run() {
      const { status, body } = sample as Sample<Result>;
      const { result } = mapAnswer(createHttpAnswer(status, body), MARKER_TEXT);
      assert.ok(['unknown', 'not_found'].includes(result), result);
    },
  });
  return [
    casesWithStray('an approval', samples.authorise.approved, authorise.mapAnswer),
    casesWithStray('a decline', samples.authorise.declined, authorise.mapAnswer),
    ...(inquire && samples.inquire
      ? [casesWithStray('an approval that is found', samples.inquire.approved, inquire.mapAnswer)]
      : []),
    casesWithStray('a reversal', samples.reverse, reverse.mapAnswer),
    casesWithStray('a refund', sentSamplesOf(samples.refund), refund.send.mapAnswer),
    ...(refund.inquire
      ? [
          casesWithStray(
            'a refund that is found',
            samples.refund.approved,
            refund.inquire.mapAnswer,
          ),
        ]
      : []),
    casesWithStray('a capture', sentSamplesOf(samples.capture), capture.send.mapAnswer),
    ...(capture.inquire
      ? [
          casesWithStray(
            'a capture that is found',
            samples.capture.approved,
            capture.inquire.mapAnswer,
          ),
        ]
      : []),
  ];
}
