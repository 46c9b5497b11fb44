import type { Processor } from '../processor.ts';
import { createSandboxDirectory } from './directory.ts';
import { authoriseResult, inquireResult, reverseResult } from './map-answer.ts';
import { authoriseRequest, inquireRequest, reverseRequest } from './map-request.ts';
import { metadata } from './metadata.ts';
import {
  inquireRefundRequest,
  inquireRefundResult,
  refundRequest,
  refundResult,
} from './refund.ts';

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
  refund: {
    mapRequest: (input) => refundRequest(simulatorUrl, input),
    mapAnswer: refundResult,
  },
  inquireRefund: {
    mapRequest: (input) => inquireRefundRequest(simulatorUrl, input),
    mapAnswer: inquireRefundResult,
  },
});
