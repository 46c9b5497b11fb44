import { networkPaths } from '@florin/contract/protocol/network.ts';
import { scheduledEffectOf } from '@florin/contract/simulate.ts';
import { type WireAnswer, withoutResponse } from '../message.ts';
import type { HastenResult, Simulation } from '../simulation.ts';
import { timeouts } from './metadata.ts';
import { bodyOf, unknownResult } from './read-answer.ts';

export const createSimulation = (simulatorUrl: string): Simulation => ({
  laterSeconds: (simulate) => scheduledEffectOf(simulate)?.[1],
  triggerEffect: {
    mapRequest: ({ attempt_id }) => ({
      method: 'POST',
      url: simulatorUrl + networkPaths.laterOf(attempt_id),
      headers: { 'content-type': 'application/json' },
      body: {},
      timeout_ms: timeouts.inquire,
    }),
    mapAnswer: mapTriggered,
  },
});

function mapTriggered(answer: WireAnswer): HastenResult {
  if (answer.outcome !== 'answered') return withoutResponse(answer);
  return bodyOf(answer.status, answer.body)
    ? { result: 'hastened' }
    : unknownResult(`The network answered ${answer.status}.`);
}
