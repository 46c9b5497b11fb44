import { networkPaths } from '@florin/contract/protocol/network.ts';
import { scheduledEffectOf } from '@florin/contract/simulate.ts';
import { resultWithoutResponse, type WireAnswer } from '../port/message.ts';
import { unknownResult } from '../port/read-answer.ts';
import type { Simulation, TriggerResult } from '../port/simulation.ts';
import { timeouts } from './metadata.ts';
import { bodyOf } from './read-answer.ts';

export const createSimulation = (simulatorUrl: string): Simulation => ({
  effectDelaySeconds: (simulate) => scheduledEffectOf(simulate)?.[1],
  triggerEffect: {
    mapRequest: ({ attempt_id }) => ({
      method: 'POST',
      url: simulatorUrl + networkPaths.laterOf(attempt_id),
      headers: { 'content-type': 'application/json' },
      body: {},
      timeout_ms: timeouts.inquire,
    }),
    mapAnswer: mapTriggerAnswer,
  },
});

function mapTriggerAnswer(answer: WireAnswer): TriggerResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  return bodyOf(answer.status, answer.body)
    ? { result: 'triggered' }
    : unknownResult(`The network answered ${answer.status}.`);
}
