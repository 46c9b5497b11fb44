import type { SandboxOutcome } from '@florin/contract/card/sandbox-cards.ts';
import { responseCodes } from '../response-codes.ts';
import { badControl, noContent, type StandInAnswer } from './answer.ts';
import { DURATION_MS_MAX, isDuration } from './durations.ts';
import { type JsonMembers, membersOf, textOf, wholeNumberOf } from './members.ts';

const kinds = [
  'delay',
  'reset',
  'lose_answer',
  'late_answer',
  'cut_answer',
  'garbage',
  'refuse',
  'fail_after',
  'echo',
  'without_effect',
  'decline',
] as const;

/**
 * Fault of a request, in the order of arrival:
 *
 * - `delay`: the request waits `delay_ms`. Other faults may have a delay too.
 * - `reset`: disconnects before the operation runs.
 * - `refuse`: answers `status` with a page of HTML, and does not run the operation. Below 500 the body is empty.
 * - `lose_answer`: runs the operation, then disconnects.
 * - `late_answer`: runs the operation at once, and answers after `delay_ms`.
 * - `cut_answer`: as `lose_answer`, after the first half of the body.
 * - `garbage`: runs the operation, and answers 200 with a body that is not JSON.
 * - `fail_after`: runs the operation, and answers `status` with a page of HTML.
 * - `echo`: answers `status` with an error that repeats the request, and does not run the operation.
 * - `without_effect`: answers as usual, but the books keep nothing of the operation.
 * - `decline`: the issuer declines the payment for the reason `outcome`.
 */
export interface RequestFault {
  readonly kind: (typeof kinds)[number];
  /** Milliseconds before anything else happens; for `late_answer` before the response. */
  readonly delayMs: number;
  /** HTTP status of `refuse`, `fail_after` and `echo`. */
  readonly status: number;
  /** Reason of `decline`. */
  readonly outcome?: SandboxOutcome | undefined;
  /** Requests that the fault still applies to. */
  readonly times: number;
  /** Time in milliseconds since 1970 after which the fault applies to no request. */
  readonly until: number;
  /** Conditions; an absent one fits every request. `path` is a part of the path; with `$` at its end, the last part. */
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly reference?: string | undefined;
}

/** Request facts that select a fault. */
export interface FaultSubject {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Faults that wait for a request. Held in memory, without a restart. */
export interface RequestFaults {
  /** The first fault that fits a request, which counts as one of its times. */
  take(subject: FaultSubject): RequestFault | undefined;
  /** Serves `POST /faults` and `DELETE /faults` of the control surface. */
  control(method: string, body: unknown): StandInAnswer;
}

/** Maximum number of faults that wait. */
const FAULTS_MAX = 1_000;
const TIMES_MAX = 1_000_000;
const STATUS_DEFAULT = 502;

export function createRequestFaults(): RequestFaults {
  let waiting: RequestFault[] = [];
  return {
    take(subject) {
      waiting = waiting.filter(({ until }) => Date.now() < until);
      const fault = waiting.find((candidate) => isFor(candidate, subject));
      if (!fault) return undefined;
      const rest = fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
      waiting = waiting.flatMap((candidate) => (candidate === fault ? rest : [candidate]));
      return fault;
    },
    control(method, body) {
      if (method === 'DELETE') waiting = [];
      if (method === 'DELETE') return noContent;
      const fault = parseFault(membersOf(body));
      if (typeof fault === 'string') return badControl(fault);
      if (waiting.length >= FAULTS_MAX) return badControl(`At most ${FAULTS_MAX} faults can wait.`);
      waiting.push(fault);
      return noContent;
    },
  };
}

const isFor = (
  { method, path, reference }: RequestFault,
  { method: actualMethod, path: actualPath, body }: FaultSubject,
): boolean =>
  (method ?? actualMethod) === actualMethod &&
  isPathOf(path ?? '', actualPath) &&
  (reference === undefined || membersOf(body).reference === reference);

const isPathOf = (part: string, path: string): boolean =>
  part.endsWith('$') ? path.endsWith(part.slice(0, -1)) : path.includes(part);

const isOutcome = (value: unknown): value is SandboxOutcome =>
  typeof value === 'string' && value !== 'approved' && Object.hasOwn(responseCodes, value);

function parseFault(members: JsonMembers): RequestFault | string {
  const kind = kinds.find((known) => known === members.kind);
  if (!kind) return `kind must be one of ${kinds.join(', ')}.`;
  const { delay_ms = 0, for_ms = DURATION_MS_MAX, outcome } = members;
  if (!isDuration(delay_ms)) return 'delay_ms must be milliseconds.';
  if (!isDuration(for_ms)) return 'for_ms must be milliseconds.';
  if (kind === 'decline' && !isOutcome(outcome))
    return `A decline is one of ${Object.keys(responseCodes).slice(1).join(', ')}.`;
  const status = wholeNumberOf(members.status ?? STATUS_DEFAULT) ?? 0;
  if (status < 400 || status > 599) return 'status must be from 400 to 599.';
  const times = wholeNumberOf(members.times ?? 1) ?? 0;
  if (times < 1 || times > TIMES_MAX) return `times must be from 1 to ${TIMES_MAX}.`;
  return {
    kind,
    delayMs: delay_ms,
    status,
    times,
    until: Date.now() + for_ms,
    outcome: kind === 'decline' ? (outcome as SandboxOutcome) : undefined,
    method: textOf(members.method),
    path: textOf(members.path),
    reference: textOf(members.reference),
  };
}
