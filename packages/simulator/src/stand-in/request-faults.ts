import { badControl, noContent, type StandInAnswer } from './answer.ts';
import { isDuration } from './durations.ts';
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
 */
export interface RequestFault {
  readonly kind: (typeof kinds)[number];
  /** Milliseconds before anything else happens; for `late_answer` before the response. */
  readonly delayMs: number;
  /** HTTP status of `refuse`, `fail_after` and `echo`. */
  readonly status: number;
  /** Requests that the fault still applies to. */
  readonly times: number;
  /** Conditions; an absent one fits every request. `path` is a part of the path. */
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
  actualPath.includes(path ?? '') &&
  (reference === undefined || membersOf(body).reference === reference);

function parseFault(members: JsonMembers): RequestFault | string {
  const kind = kinds.find((known) => known === members.kind);
  if (!kind) return `kind must be one of ${kinds.join(', ')}.`;
  const { delay_ms = 0 } = members;
  if (!isDuration(delay_ms)) return 'delay_ms must be milliseconds.';
  const status = wholeNumberOf(members.status ?? STATUS_DEFAULT) ?? 0;
  if (status < 400 || status > 599) return 'status must be from 400 to 599.';
  const times = wholeNumberOf(members.times ?? 1) ?? 0;
  if (times < 1 || times > TIMES_MAX) return `times must be from 1 to ${TIMES_MAX}.`;
  return {
    kind,
    delayMs: delay_ms,
    status,
    times,
    method: textOf(members.method),
    path: textOf(members.path),
    reference: textOf(members.reference),
  };
}
