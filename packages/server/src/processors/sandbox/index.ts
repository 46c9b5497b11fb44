import type { NetworkProcessor } from '../port/processor.ts';
import { createSandboxDirectory } from './directory.ts';
import { createDisputes } from './disputes.ts';
import { createCaptures, createRefunds } from './follow-ups.ts';
import { createHistory } from './history.ts';
import { toAuthoriseResult, toInquireResult, toReverseResult } from './map-answer.ts';
import { toAuthoriseRequest, toInquireRequest, toReverseRequest } from './map-request.ts';
import { metadata } from './metadata.ts';
import { createSettlement } from './settlement.ts';
import { createSimulation } from './simulation.ts';

export interface SandboxConfig {
  /** Origin of the simulated card network. */
  readonly simulatorUrl: string;
}

/** The adapter to the simulated card network. */
export const createSandboxProcessor = ({ simulatorUrl }: SandboxConfig): NetworkProcessor => ({
  metadata,
  ...createSandboxDirectory(simulatorUrl),
  authorise: {
    mapRequest: (input) => toAuthoriseRequest(simulatorUrl, input),
    mapAnswer: toAuthoriseResult,
  },
  inquire: {
    mapRequest: (input) => toInquireRequest(simulatorUrl, input),
    mapAnswer: toInquireResult,
  },
  reverse: {
    mapRequest: (input) => toReverseRequest(simulatorUrl, input),
    mapAnswer: toReverseResult,
  },
  refund: createRefunds(simulatorUrl),
  capture: createCaptures(simulatorUrl),
  disputes: createDisputes(simulatorUrl),
  settlement: createSettlement(simulatorUrl),
  history: createHistory(simulatorUrl),
  simulation: createSimulation(simulatorUrl),
});
