import type { Processor } from '../processor.ts';
import { createSandboxDirectory } from './directory.ts';
import { createDisputes } from './disputes.ts';
import { createCaptures, createRefunds } from './follow-ups.ts';
import { authoriseResult, inquireResult, reverseResult } from './map-answer.ts';
import { authoriseRequest, inquireRequest, reverseRequest } from './map-request.ts';
import { metadata } from './metadata.ts';
import { createSettlement } from './settlement.ts';
import { createSimulation } from './simulation.ts';

export interface SandboxConfig {
  /** Origin of the simulated card network. */
  readonly simulatorUrl: string;
}

/** The adapter to the simulated card network. */
export const createSandboxProcessor = ({ simulatorUrl }: SandboxConfig): Processor => ({
  metadata,
  ...createSandboxDirectory(simulatorUrl),
  authorise: {
    mapRequest: (input) => authoriseRequest(simulatorUrl, input),
    mapAnswer: authoriseResult,
  },
  inquire: {
    mapRequest: (input) => inquireRequest(simulatorUrl, input),
    mapAnswer: inquireResult,
  },
  reverse: {
    mapRequest: (input) => reverseRequest(simulatorUrl, input),
    mapAnswer: reverseResult,
  },
  refund: createRefunds(simulatorUrl),
  capture: createCaptures(simulatorUrl),
  disputes: createDisputes(simulatorUrl),
  settlement: createSettlement(simulatorUrl),
  simulation: createSimulation(simulatorUrl),
});
